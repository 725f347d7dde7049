/** Limits of a call's data in the log, and of identical calls. In characters, unless noted otherwise. */
export const OUTPUT_LOGGED = 1_000_000; // of one command, while it runs; the result holds the head and tail of the complete output
export const INPUT_LIMIT = 2_000; // of a string in `call-input`; the deltas hold the complete string
export const RESULT_LIMIT = 16_000; // of a result
/**
 * Numbers of identical calls, without a file change in between, after which the result says so, and the run is stopped.
 */
export const SAME_CALL_TOLD = 3;
export const SAME_CALL_STOPPED = 5;
