/** A parsed patch: its operations on files, in the written order. */
export interface Patch {
  operations: PatchOperation[];
}

/** An operation on one file. Paths are relative to the project. */
export type PatchOperation =
  | { type: "add"; path: string; content: string }
  | { type: "delete"; path: string }
  | { type: "update"; path: string; moveTo?: string; hunks: PatchHunk[] };

/** A group of changed lines with the context that locates it. */
export interface PatchHunk {
  /** Lines that occur somewhere before the hunk, one `@@` each. */
  anchors: string[];
  lines: PatchLine[];
  /** Whether the hunk ends at the end of the file. */
  atEnd: boolean;
  /** The hunk's start line in the old file according to a unified diff, from 1. */
  oldStart?: number;
  /** Whether the last line before, or after, has no line break, according to a unified diff. */
  noBreak?: { old?: boolean; new?: boolean };
}

/** One line of a hunk. */
export interface PatchLine {
  /** ` ` is context, `-` is removed, `+` is added. */
  kind: " " | "-" | "+";
  /** Without its line break. */
  text: string;
}

/** A parsed patch, or a sentence about what is wrong with it. */
export type PatchResult = { ok: true; patch: Patch } | { ok: false; error: string };

/**
 * All files after the patch, including those that it does not name; on any failure none is changed.
 */
export type ApplyPatchResult =
  | { ok: true; files: Record<string, string> }
  | {
      ok: false;
      /** The problem and its place, for the model. */
      error: string;
    };
