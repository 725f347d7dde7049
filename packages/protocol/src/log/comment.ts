/** Comments of people on a project. They are told to the model only when somebody sends them. */
import type { ProjectPath } from "../project-path/index.ts";
import type { Author } from "./types.ts";

/** What a thread of comments is about. */
export type CommentAnchor = LineAnchor | ElementAnchor | CheckpointAnchor;

/** A line of a file as it was when the thread began. */
export interface LineAnchor {
  kind: "line";
  path: ProjectPath;
  /** Counted from 1. */
  line: number;
  /** The text of that line, at most 500 characters. */
  text: string;
  /** The file's version then, equal to its `ETag`. */
  version: string;
  /**
   * A digest of each line of that version, as of `lineDigests`, by which the line is found again in
   * later ones. Absent if the file was too long: the line is then known in that version alone.
   */
  digests?: string;
}

/** An element of the running app, as the preview described it. */
export interface ElementAnchor {
  kind: "element";
  /** The page's path and query. */
  page: string;
  tag: string;
  /** Its tag, id and classes in short. */
  label: string;
  /** The beginning of its text. */
  text: string;
  /** From the root: each a tag, and its index among siblings of that tag. */
  path: [string, number][];
  /** Where it is written, as `path:line`, if that was found. */
  source?: string | undefined;
}

/** A checkpoint of the project. */
export interface CheckpointAnchor {
  kind: "checkpoint";
  checkpoint: string;
}

/** Something happened to a thread of comments. `by`: absent on a server without accounts. */
export type CommentEvent =
  /** `anchor`: on the first comment of its thread. */
  | {
      type: "comment";
      thread: string;
      comment: string;
      text: string;
      by?: Author;
      anchor?: CommentAnchor;
    }
  | { type: "comment-edited"; thread: string; comment: string; text: string }
  | { type: "comment-deleted"; thread: string; comment: string }
  | { type: "thread-resolved"; thread: string; isResolved: boolean; by?: Author }
  /** The threads were sent to the model, as that message. */
  | { type: "comments-sent"; threads: string[]; message: string; by?: Author };
