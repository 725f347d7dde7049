/** Paths of a project. */
export type * from "./types.ts";
export { toProjectPath, readProjectPath } from "./read.ts";
