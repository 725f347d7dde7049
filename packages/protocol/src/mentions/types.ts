/** A reference in a message. `start` and `end` are positions in the message; `text` is the text between them. */
export type Mention = { start: number; end: number; text: string } & MentionTarget;

/** What the mention names. */
export type MentionTarget =
  /**
   * A file, or a folder where it ends with `/`. `sure`: it can hardly be anything else. What is not (`@media`,
   * `@types/node`) is one only where there is such a file.
   */
  | { kind: "path"; path: string; lines?: LineRange; sure: boolean }
  | { kind: "url"; url: string }
  /** Something that a tool server lets read. `server`: its name among the person's own. */
  | { kind: "resource"; server: string; uri: string }
  /** What the newest evidence holds against the project. */
  | { kind: "problems" }
  /** Last lines of a terminal; without a name, of the one that was used last. */
  | { kind: "terminal"; name?: string }
  /** A page of the running app; without a path, the first. */
  | { kind: "preview"; path?: string }
  /** What the last turn, and the person since, changed. */
  | { kind: "diff" }
  /** What changed since a checkpoint, by its id or by words of its label; without either, the newest. */
  | { kind: "checkpoint"; name?: string };

/** From 1, both included. */
export interface LineRange {
  from: number;
  to: number;
}

/** The kinds of what can be named. */
export type MentionKind = MentionTarget["kind"];

/** The words after `@` that are no path. A file of such a name is written `@./diff`. */
export const MENTION_WORDS = ["problems", "terminal", "preview", "diff", "checkpoint"] as const;
/** One of them. */
export type MentionWord = (typeof MENTION_WORDS)[number];
