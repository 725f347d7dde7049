/** Bounds of what a foreign server may send and take, each with its reason. */
export const CONNECT_MS = 60_000; // `npx` fetches a server before it starts it
export const LIST_MS = 15_000; // lists are asked for before each run
export const CALL_MS = 120_000; // as a silent command
export const MESSAGE_BYTES = 4 * 1024 * 1024; // one message, as one file that is written
export const RESULT_LIMIT = 15_000; // characters that the model reads of a result, as of a file
export const TOOLS = 64; // of one server; each is paid for in every request
export const LISTED = 500; // resources, and prompts, of one server
export const PAGES = 20; // of one list
export const DESCRIPTION_LIMIT = 2_000; // characters that the model reads of one tool
export const SCHEMA_LIMIT = 20_000; // characters of one tool's schema as JSON
export const SERVERS = 30; // in one file
export const LOG_LIMIT = 20_000; // characters kept of what a server says of itself
