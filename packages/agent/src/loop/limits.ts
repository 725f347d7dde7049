/** Requests for the rest of one answer that hit the output limit. */
export const CONTINUATIONS = 4;
/**
 * Consecutive answers that the output limit cut within a call, each of which the model is asked to
 * make smaller.
 */
export const CUT_ANSWERS = 3;
/** Consecutive steps in which no call could be parsed. */
export const MALFORMED_STEPS = 4;
/** How long the end of a run waits for a workspace that may be gone, in milliseconds. */
export const ENDING_MS = 5_000;
