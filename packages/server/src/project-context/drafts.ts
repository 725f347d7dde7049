import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A file that marks a project whose import is unfinished; the next start removes that project. */
export const IMPORT_MARK = "importing";

/** Temporary files that exist only during a write, by their folder in a project. */
const DRAFTS: [folder: string, name: RegExp][] = [
  [".", /^(?:import\.zip|.+\.new)$/],
  ["pictures", /\.new$/],
  ["page-pictures", /\.new$/],
  ["outputs", /\.new$/],
];

/** Absolute paths of files that a killed server left unfinished in a project's folder. */
export const draftsOf = (projectFolder: string): string[] =>
  DRAFTS.flatMap(([below, name]) => filesCalled(join(projectFolder, below), name));

/** Removes the files that `draftsOf` finds. Nothing may be writing. Never throws. */
export function sweepDrafts(projectFolder: string): void {
  for (const path of draftsOf(projectFolder)) {
    try {
      rmSync(path, { force: true });
    } catch {
      // A file that the disk does not remove does no harm.
    }
  }
}

/** Absolute paths of the files in a folder whose names match; empty if the folder does not exist. */
export function filesCalled(folder: string, name: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((one) => name.test(one))
      .map((one) => join(folder, one));
  } catch {
    return [];
  }
}
