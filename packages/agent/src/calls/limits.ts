/** Limits of a call's data in the log, and of identical calls. Characters unless noted. */
export const OUTPUT_LOGGED = 1_000_000; // of one command, as it comes; the result holds head and tail of all of it
export const INPUT_LIMIT = 2_000; // of a string in `call-input`; its whole stands in the deltas
export const RESULT_LIMIT = 16_000; // of a result
/** Identical calls without a file change in between: reported first, then stopped. */
export const SAME_CALL_TOLD = 3;
export const SAME_CALL_STOPPED = 5;
