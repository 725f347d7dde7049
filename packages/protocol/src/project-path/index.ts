/** Paths of a project. */
export { isProtectedPath } from "./protected.ts";
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
export { holdsEnvironment, holdsSecrets, isEnvironmentFile, isKeyFile } from "./secret-files.ts";
export { BESIDE_SQLITE, isSqliteFile, SQLITE_BEGINNING } from "./sqlite-files.ts";
