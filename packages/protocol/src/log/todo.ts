/** An item of a project's to-do list. */
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
  /** Set by the model: the run that wrote it. */
  run?: string;
}

/** The model's own summary at the end of a turn, never the verdict. */
export interface LastWords {
  /** What exists now. */
  done: string;
  /** How to try it. */
  try?: string;
  /** The model's name for the project, used if the project is still named after its first words. */
  name?: string;
}
