/** One piece of work on a project's list. */
export interface TodoItem {
  /** One line, in the person's language. */
  text: string;
  status: "todo" | "doing" | "done";
}

/** The project's complete to-do list from now on. The model and the person can both change it. */
export interface TodoEvent {
  type: "todo";
  by: "model" | "person";
  items: TodoItem[];
  /** Of the model's: the run that wrote it. */
  run?: string;
}

/** What a model says when it ends a turn: its own words, never the verdict. */
export interface LastWords {
  /** What there is now. */
  done: string;
  /** How to try it. */
  try?: string;
  /** The model's name for the project, used if the project is still named after its first words. */
  name?: string;
}
