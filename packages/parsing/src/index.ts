/** Parsers of outside text run here: on worker threads, never on the server's own. */
export { offThread, type RunOptions } from "./off-thread.ts";
export { ParserFailure, type ParserFailureCode } from "./parser-failure.ts";
