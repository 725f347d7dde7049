import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Marks a project folder as incomplete; the next start removes it. */
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

/** Removes these files. Nothing may be writing. Never throws. */
export function sweepDrafts(projectFolder: string): void {
  for (const path of draftsOf(projectFolder)) {
    try {
      rmSync(path, { force: true });
    } catch {
      // The disk refuses; the file does no harm.
    }
  }
}

/** Absolute paths of the files with draft names in a folder; empty if it does not exist. */
export function filesCalled(folder: string, name: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((one) => name.test(one))
      .map((one) => join(folder, one));
  } catch {
    return [];
  }
}
