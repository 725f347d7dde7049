/**
 * Talks to a Treadle server, from Node and from anything else that has `fetch`. What is said and answered has the types of
 * `@treadle/protocol`; every route that has no method here is called through `api`, typed by the server's own description.
 */
export { connect, type Connection, type Treadle } from "./treadle.ts";
export type { Project, Run, RunResult } from "./project.ts";
export type { ProjectFiles, ReadFile } from "./files.ts";
export { TreadleError } from "./treadle-error.ts";
export type { paths } from "./api.ts";
