/** Paths of a project. */
export type * from "./types.ts";
export {
  folderOf,
  isUnder,
  movedPath,
  pathIn,
  PROJECT_FOLDER,
  readProjectPath,
  toProjectPath,
} from "./read.ts";
