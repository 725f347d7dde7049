import type { TextBacklog } from "@treadle/common";

/** What the project's server printed. */
export interface ServerOutput {
  readonly text: TextBacklog;
  /** Told whenever there is more of it, until the returned function is called. */
  onMore(listener: () => void): () => void;
  /** Forgets it. */
  clear(): void;
}
