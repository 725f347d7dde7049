/**
 * What one answer of a model may hold. An answer has about 500,000 characters at most today; one that goes over a limit
 * has no end, or comes from a broken proxy.
 */
/** Bytes of the HTTP response. A token costs up to 300 bytes on the wire. */
export const ANSWER_BYTES = 128 * 1024 * 1024;
/** Bytes of one line of an event stream: it is parsed as a whole. */
export const LINE_BYTES = 8 * 1024 * 1024;
/** Bytes of an error's body that are read. */
export const ERROR_BYTES = 64 * 1024;
/** UTF-16 units of words, thoughts and arguments together. */
export const ANSWER_CHARS = 4 * 1024 * 1024;
/** UTF-16 units of one call's arguments. */
export const ARGUMENT_CHARS = 2 * 1024 * 1024;
export const ANSWER_CALLS = 500;
/** Blocks of words and of thoughts. */
export const ANSWER_BLOCKS = 5_000;
