/** A message from the pool to a parser thread. */
export interface ThreadJob {
  /** The address of a module that exports `parse`. */
  module: string;
  args: readonly unknown[];
}

/** A message from a parser thread: `loaded` once, then either a result or an error. */
export type ThreadMessage =
  | { type: "loaded" }
  | { type: "result"; value: unknown }
  | { type: "error"; message: string };
