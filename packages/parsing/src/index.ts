/** Runs parsers of untrusted text on worker threads, never on the server's own thread. */
export { offThread, type RunOptions } from "./off-thread.ts";
export { ParserFailure, type ParserFailureCode } from "./parser-failure.ts";
