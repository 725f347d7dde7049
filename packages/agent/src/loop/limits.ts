/** Requests for the rest of one answer that the output limit cut. */
export const CONTINUATIONS = 4;
/** Answers in a row that the output limit cut within a call, which the model is asked to make smaller. */
export const CUT_ANSWERS = 3;
/** Steps in a row in which no call could be understood. */
export const MALFORMED_STEPS = 4;
/** How long the end of a run waits for a workspace that may be gone. */
export const ENDING_MS = 5_000;
