import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { parse, resolve, sep } from "node:path";
import { dataDirectory } from "../data-directory.ts";
import { projectFolder } from "../project-folder.ts";

/**
 * The folder to synchronize, created if missing.
 * @returns its real path
 * @throws Error with a sentence if the folder cannot be intended, such as the home folder
 */
export function syncRoot(dir: string, data: string | undefined): string {
  const folder = projectFolder(resolve(dir));
  if ("wrong" in folder) throw new Error(folder.wrong);
  const root = realpathSync(dir);
  const isWithin = (inner: string, outer: string) => `${inner}${sep}`.startsWith(outer === parse(outer).root ? outer : `${outer}${sep}`); // prettier-ignore
  const dataPath = realOrSame(dataDirectory(data, process.env));
  if (isWithin(root, dataPath) || isWithin(dataPath, root))
    throw new Error(`${root} holds Treadle's data, or lies in it. Name your own folder. Nothing was changed.`); // prettier-ignore
  if (isWithin(realOrSame(homedir()), root))
    throw new Error(`${root} is not the folder of a project. Name one in it. Nothing was changed.`);
  return root;
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
