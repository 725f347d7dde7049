/** One change of a file: `old` is what stands there, `new` what is to stand there. */
export interface Edit {
  /** Must name one place. Empty only for a file that is empty. */
  old: string;
  new: string;
  /** Change every place instead of the only one. */
  all?: boolean;
  /** The line, counted from 1, on which the model says that the old text begins: it settles which of several places is meant. */
  line?: number;
  /** What it may have meant instead, where that cannot be told without the file: applied where only one of them fits. */
  or?: readonly { old: string; new: string }[];
}

/** The file with every edit, or what is wrong with those that do not fit. */
export type EditResult =
  | { ok: true; content: string; /** Places changed. */ applied: number }
  | {
      ok: false;
      /** Every edit that does not fit, in their order. */
      failures: EditFailure[];
      /** The file as it was: edits are applied all or none. */
      content: string;
    };

/** One edit that does not fit, why, and what stands there instead. */
export interface EditFailure {
  /** Index of the edit. */
  edit: number;
  reason: EditFailureReason;
  /** One or two plain sentences for the model: what is wrong and what to do. */
  message: string;
  /** The real lines that come nearest, as they stand in the file; of `multiple`, the first place. */
  nearest?: string;
  /** The line where `nearest` begins, from 1. */
  line?: number;
}

/**
 * `not found`: no place is near enough. `multiple`: more than one is. `identical`: old and new are the same.
 * `placeholder`: the new text leaves code out. `empty`: nothing to look for, in a file that is not empty.
 */
export type EditFailureReason = "not found" | "multiple" | "identical" | "placeholder" | "empty";
