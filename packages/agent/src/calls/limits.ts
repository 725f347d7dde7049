/** Bounds of what the log keeps of a call, and of how often the same one is made. Characters unless said otherwise. */
export const OUTPUT_LOGGED = 1_000_000; // of one command, as it comes; the result holds head and tail of all of it
export const INPUT_LIMIT = 2_000; // of a string in `call-input`; its whole stands in the deltas
export const RESULT_LIMIT = 16_000; // of a result
/** The same call with the same arguments, with no file changed in between: told, then stopped. */
export const SAME_CALL_TOLD = 3;
export const SAME_CALL_STOPPED = 5;
