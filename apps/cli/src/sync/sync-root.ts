import { resolve } from "node:path";
import { dataDirectory } from "../folders/data-directory.ts";
import { folderInPlace } from "../folders/in-place.ts";
import { projectFolder } from "../folders/project-folder.ts";

/**
 * Returns the folder to synchronize; it is created if missing.
 * @returns its real path
 * @throws Error with a sentence if this folder cannot belong to a project, such as the home folder
 */
export function syncRoot(dir: string, data: string | undefined): string {
  const created = projectFolder(resolve(dir));
  if ("wrong" in created) throw new Error(created.wrong);
  const place = folderInPlace(dir, dataDirectory(data, process.env));
  if ("wrong" in place) throw new Error(`${place.wrong} Nothing was changed.`);
  return place.directory;
}
