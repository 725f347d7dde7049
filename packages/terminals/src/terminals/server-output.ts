import type { TextBacklog } from "@treadle/common";

/** The output of the project's server. */
export interface ServerOutput {
  readonly text: TextBacklog;
  /** Calls the listener on new output until the returned function is called. */
  onMore(listener: () => void): () => void;
  /** Deletes the text. */
  clear(): void;
}
