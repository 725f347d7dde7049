/** Paths of a project. */
export type * from "./types.ts";
export { folderOf, PROJECT_FOLDER, toProjectPath, readProjectPath } from "./read.ts";
