/** What happened to one file between two moments, as `formatModifications` takes it. */
export interface FileModification {
  /** Relative to the project. */
  path: string;
  /** The text before; absent for a new file. */
  before?: string;
  /** The text after; absent for a file that is gone. */
  after?: string;
  /** Not text: only said, never shown. */
  binary?: boolean;
  /** Unified hunks without file headers, where they are known already; `before` is then not needed. */
  diff?: string;
}

/** One entry of a `<bolt_file_modifications>` block. */
export type Modification =
  /** Unified hunks without file headers. */
  | { type: "diff"; path: string; content: string }
  /** The whole new text. */
  | { type: "file"; path: string; content: string }
  | { type: "deleted"; path: string }
  | { type: "binary"; path: string };

/** The file as it is then, undefined when it is gone; or one plain sentence that says why that is not known. */
export type ApplyModificationResult =
  | { ok: true; content: string | undefined }
  | { ok: false; error: string };
