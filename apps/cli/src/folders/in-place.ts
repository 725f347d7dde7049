import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, parse, relative, isAbsolute, resolve } from "node:path";
import type { ProjectService } from "@treadle/server";

/**
 * Validates a folder to work in, and returns its real path. A mounted folder has to be a single
 * project's: neither the whole disk or a home, nor one that contains Treadle's own data, whose keys
 * generated code could reach.
 * @param data Treadle's data folder, absolute
 * @returns the folder, or a message about why it is refused
 */
export function folderInPlace(
  requested: string,
  data: string,
  home: string = homedir(),
): { directory: string } | { wrong: string } {
  const named = resolve(requested);
  const directory = real(named);
  if (directory === undefined) return { wrong: `${named} does not exist.` };
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { wrong: `${named} is not a folder.` };
  if (directory === parse(directory).root)
    return { wrong: `${directory} is the whole disk. Name the folder of one project.` };
  if (isIn(directory, real(home) ?? home))
    return { wrong: `${directory} holds your whole home folder. Name the folder of one project.` };
  const dataDirectory = real(data) ?? data;
  if (isIn(directory, dataDirectory) || isIn(dataDirectory, directory))
    return {
      wrong: `${directory} and Treadle's own data in ${dataDirectory} must not hold one another.`,
    };
  return { directory };
}

/** The project of that folder: the existing one, or a new one named after it. */
export const openInPlace = (projects: ProjectService, directory: string): Promise<{ id: string }> =>
  projects.open({ directory, name: basename(directory) });

/** Whether a path is a folder or inside it. */
function isIn(folder: string, path: string): boolean {
  const between = relative(folder, path);
  return between === "" || (!isAbsolute(between) && between.split(/[/\\]/)[0] !== "..");
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
