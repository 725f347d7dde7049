/** A patch as read: what it does to each file, in the order written. */
export interface Patch {
  operations: PatchOperation[];
}

/** What a patch does to one file. Paths are relative to the project. */
export type PatchOperation =
  | { type: "add"; path: string; content: string }
  | { type: "delete"; path: string }
  | { type: "update"; path: string; moveTo?: string; hunks: PatchHunk[] };

/** A stretch of lines that changes, and what says where it stands. */
export interface PatchHunk {
  /** Lines that stand somewhere before the hunk, one `@@` each. */
  anchors: string[];
  lines: PatchLine[];
  /** The hunk ends where the file does. */
  atEnd: boolean;
  /** The line of the old file where a unified diff says it begins, from 1. */
  oldStart?: number;
  /** Where a unified diff says so: the last line before, or after, has no line break. */
  noBreak?: { old?: boolean; new?: boolean };
}

/** One line of a hunk. */
export interface PatchLine {
  /** ` ` stays, `-` goes, `+` comes. */
  kind: " " | "-" | "+";
  /** Without its line break. */
  text: string;
}

/** A patch as read, or one plain sentence that says what is wrong with it. */
export type PatchResult = { ok: true; patch: Patch } | { ok: false; error: string };

/** All files as the patch leaves them, those that it does not name included; on any failure none is changed. */
export type ApplyPatchResult =
  | { ok: true; files: Record<string, string> }
  | {
      ok: false;
      /** What is wrong, and where; for the model. */
      error: string;
    };
