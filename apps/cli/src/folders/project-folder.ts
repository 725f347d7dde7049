import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates the folder to build in if it is missing, but not its parents, because a path with several missing parts is
 * usually mistyped.
 * @param directory absolute
 * @returns whether it was created, or a sentence that says why it cannot be
 */
export function projectFolder(directory: string): { made: boolean } | { wrong: string } {
  try {
    mkdirSync(directory);
    return { made: true };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && isFolder(directory)) return { made: false };
    const above = dirname(directory);
    if (code === "ENOENT" && !existsSync(above))
      return {
        wrong: `${directory} cannot be created: there is no folder ${above}. Check --dir, or create that folder first.`,
      };
    const reason = code === "EEXIST" || code === "ENOTDIR" ? "a file is in the way" : message;
    return { wrong: `${directory} cannot be the project's folder: ${reason}.` };
  }
}

const isFolder = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
