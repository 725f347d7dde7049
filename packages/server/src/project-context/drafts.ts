import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** In a project's folder, it says that the project is still being made: a server that starts takes such a one away. */
export const IMPORT_MARK = "importing";

/** What is only there while something is written, by the folder of a project that it is in. */
const DRAFTS: [folder: string, name: RegExp][] = [
  [".", /^(?:import\.zip|.+\.new)$/],
  ["pictures", /\.new$/],
  ["page-pictures", /\.new$/],
  ["outputs", /\.new$/],
];

/** What a server that was killed was writing in a project's own folder: absolute paths. */
export const draftsOf = (projectFolder: string): string[] =>
  DRAFTS.flatMap(([below, name]) => filesCalled(join(projectFolder, below), name));

/** Removes it. Nobody may be writing. Never throws. */
export function sweepDrafts(projectFolder: string): void {
  for (const path of draftsOf(projectFolder)) {
    try {
      rmSync(path, { force: true });
    } catch {
      // The disk does not let it go: it is in nobody's way.
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
