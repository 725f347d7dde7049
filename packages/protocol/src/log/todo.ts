/** One piece of work on a project's list. */
export interface TodoItem {
  /** One line, in the person's language. */
  text: string;
  status: "todo" | "doing" | "done";
}

/** The project's list of work as it stands from now on, whole. Model and person both change it. */
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
  /** What it would call the project; taken where the project has no name but its first words. */
  name?: string;
}
