/** The change of one file between two moments, for `formatModifications`. */
export interface FileModification {
  /** Relative to the project. */
  path: string;
  /** The text before; absent for a new file. */
  before?: string;
  /** The text after; absent for a deleted file. */
  after?: string;
  /** Whether the file is binary: it is then only named, never shown. */
  binary?: boolean;
  /** Unified hunks without file headers, if already known; `before` is then not needed. */
  diff?: string;
}

/** One entry of a `<bolt_file_modifications>` block. */
export type Modification =
  /** Unified hunks without file headers. */
  | { type: "diff"; path: string; content: string }
  /** The complete new text. */
  | { type: "file"; path: string; content: string }
  | { type: "deleted"; path: string }
  | { type: "binary"; path: string };

/** The resulting file, undefined if deleted; or a sentence that says why it is unknown. */
export type ApplyModificationResult =
  | { ok: true; content: string | undefined }
  | { ok: false; error: string };
