import type { Limits } from "../types.ts";

export const DEFAULT_LIMITS: Limits = {
  steps: 40,
  repairs: 4,
  ms: 30 * 60_000,
  modelIdleMs: 120_000,
  modelTries: 5,
};

/** Pieces of a stream that arrive within this time are one event: a frame shows no more. */
export const COALESCE_MS = 20;
/** Characters of one such event: a burst that leaves no time between its pieces is divided. */
export const EVENT_LIMIT = 32_768;
/** Characters of one command's output that the log keeps as they come; the result holds head and tail of all of it. */
export const OUTPUT_LOGGED = 1_000_000;
/** Strings of `call-input` over this are cut: their whole stands in the deltas. */
export const INPUT_LIMIT = 2_000;
/** What the log keeps of a result. */
export const RESULT_LIMIT = 16_000;
/** Requests for the rest of one answer that the output limit cut. */
export const CONTINUATIONS = 4;
/** Answers in a row that the output limit cut within a call, which the model is asked to make smaller. */
export const CUT_ANSWERS = 3;
/** Steps in a row in which no call could be understood. */
export const MALFORMED_STEPS = 4;
/** The same call with the same arguments, with no file changed in between: told, then stopped. */
export const SAME_CALL_TOLD = 3;
export const SAME_CALL_STOPPED = 5;
/** What of the person's changes is told; more is in the files themselves. */
export const CHANGES_LIMIT = 12_000;
/** How long the end of a run waits for a workspace that may be gone. */
export const ENDING_MS = 5_000;
