/**
 * Limits of one answer of a model. An answer has about 500,000 characters at most today; one that exceeds a limit is
 * endless, or comes from a broken proxy.
 */
/** Maximum bytes of the HTTP response. A token takes up to 300 bytes of it. */
export const ANSWER_BYTES = 128 * 1024 * 1024;
/** Maximum bytes of one line of an event stream, which is parsed at once. */
export const LINE_BYTES = 8 * 1024 * 1024;
/** Maximum bytes of an error's body that are read. */
export const ERROR_BYTES = 64 * 1024;
/** Maximum UTF-16 units of text, reasoning and arguments together. */
export const ANSWER_CHARS = 4 * 1024 * 1024;
/** Maximum UTF-16 units of one call's arguments. */
export const ARGUMENT_CHARS = 2 * 1024 * 1024;
export const ANSWER_CALLS = 500;
/** Maximum number of blocks of text and of reasoning. */
export const ANSWER_BLOCKS = 5_000;
