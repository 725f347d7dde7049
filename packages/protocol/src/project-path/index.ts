/** Paths of a project. */
export type * from "./types.ts";
export { folderOf, isUnder, PROJECT_FOLDER, readProjectPath, toProjectPath } from "./read.ts";
