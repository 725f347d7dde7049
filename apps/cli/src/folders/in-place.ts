import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, parse, relative, isAbsolute, resolve } from "node:path";
import type { ProjectService } from "@treadle/server";

/**
 * The folder that a person wants to be worked in, as the disk names it. What is mounted in a sandbox has to be one
 * project's: neither the whole disk or home, nor what holds Treadle's own data, whose keys would be in reach of what
 * models write.
 * @param data where Treadle keeps everything, absolute
 * @returns the folder, or the sentence that says why it cannot be
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

/** The project of that folder: the one from last time, else a new one that has its name. */
export const openInPlace = (projects: ProjectService, directory: string): Promise<{ id: string }> =>
  projects.open({ directory, name: basename(directory) });

/** Whether a path is a folder or lies in it. */
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
