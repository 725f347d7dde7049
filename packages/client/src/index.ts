/**
 * A client for a Treadle server, for Node and everything else with `fetch`. Requests and answers
 * have the types of `@treadle/protocol`; routes without a method here are called through `api`,
 * typed by the server's own description.
 */
export { connect, type Connection, type Treadle } from "./treadle.ts";
export type { Project, Run, RunResult } from "./project.ts";
export type { ProjectFiles, ReadFile } from "./files.ts";
export { TreadleError } from "./treadle-error.ts";
export type { paths } from "./api.ts";
