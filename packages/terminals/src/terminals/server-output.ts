import type { TextBacklog } from "@treadle/common";

/** What the project's server printed. */
export interface ServerOutput {
  readonly text: TextBacklog;
  /** Calls the listener on new output until the returned function is called. */
  onMore(listener: () => void): () => void;
  /** Forgets it. */
  clear(): void;
}
