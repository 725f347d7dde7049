/** A reference in a message. `start` and `end` are positions in the message; `text` is the text between them. */
export type Mention = { start: number; end: number; text: string } & MentionTarget;

/** The target of a mention. */
export type MentionTarget =
  /**
   * A file, or a folder if it ends with `/`. `sure`: it can hardly be anything else. Otherwise
   * (`@media`, `@types/node`) it counts only if the file exists.
   */
  | { kind: "path"; path: string; lines?: LineRange; sure: boolean }
  | { kind: "url"; url: string }
  /** A resource of a tool server. `server`: its name in the person's configuration. */
  | { kind: "resource"; server: string; uri: string }
  /** The problems in the latest evidence. */
  | { kind: "problems" }
  /** The last lines of a terminal; without a name, of the last used one. */
  | { kind: "terminal"; name?: string }
  /** A page of the running app; without a path, the first. */
  | { kind: "preview"; path?: string }
  /** Changes by the last turn, and by the person since. */
  | { kind: "diff" }
  /** Changes since a checkpoint, by id or by words of its label; without either, the newest. */
  | { kind: "checkpoint"; name?: string };

/** Line numbers from 1, both inclusive. */
export interface LineRange {
  from: number;
  to: number;
}

/** The kinds of mentions. */
export type MentionKind = MentionTarget["kind"];

/** Words after `@` that are not paths. A file of such a name is written `@./diff`. */
export const MENTION_WORDS = ["problems", "terminal", "preview", "diff", "checkpoint"] as const;
/** One of `MENTION_WORDS`. */
export type MentionWord = (typeof MENTION_WORDS)[number];
