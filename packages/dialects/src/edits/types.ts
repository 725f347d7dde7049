/** One change of a file: replaces `old` by `new`. */
export interface Edit {
  /** Must match in one place. Empty only for an empty file. */
  old: string;
  new: string;
  /** Changes every match instead of a single one. */
  all?: boolean;
  /**
   * The line, from 1, at which the old text begins according to the model; decides between several
   * matches.
   */
  line?: number;
  /** Alternative readings that only the file can decide between; applied if exactly one matches. */
  or?: readonly { old: string; new: string }[];
}

/** The file with every edit, or the failures. */
export type EditResult =
  | { ok: true; content: string; /** Places changed. */ applied: number }
  | {
      ok: false;
      /** Every edit that does not match, in order. */
      failures: EditFailure[];
      /** The unchanged file, since edits are applied all or none. */
      content: string;
    };

/** One edit that does not match, the reason, and the nearest text. */
export interface EditFailure {
  /** Index of the edit. */
  edit: number;
  reason: EditFailureReason;
  /** One or two sentences for the model: what is wrong and what to do. */
  message: string;
  /** The most similar lines of the file; for `multiple`, the first match. */
  nearest?: string;
  /** The line at which `nearest` begins, from 1. */
  line?: number;
}

/**
 * `not found`: nothing is similar enough. `multiple`: several matches. `identical`: old and new are
 * the same. `placeholder`: the new text omits code. `empty`: an empty old text for a file that is
 * not empty.
 */
export type EditFailureReason = "not found" | "multiple" | "identical" | "placeholder" | "empty";
