/** What the pool sends to a parser thread. */
export interface ThreadJob {
  /** The address of a module that exports `parse`. */
  module: string;
  args: readonly unknown[];
}

/** What a parser thread sends back: `loaded` once, then either a result or an error. */
export type ThreadMessage =
  | { type: "loaded" }
  | { type: "result"; value: unknown }
  | { type: "error"; message: string };
