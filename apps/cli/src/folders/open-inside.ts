import { constants } from "node:fs";
import { open, realpath, type FileHandle } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file for reading in a folder that generated code writes to. Follows no link anywhere in the path, and does not
 * block on pipes or devices (A22). The caller closes it.
 * @returns undefined if there is no such file
 */
export async function openInside(folder: string, path: string): Promise<FileHandle | undefined> {
  const file = join(folder, path);
  let found: FileHandle | undefined;
  try {
    const above = relative(await realpath(folder), await realpath(dirname(file)));
    if ((above || ".") !== dirname(path)) return undefined;
    found = await open(file, READ);
    if ((await found.stat()).isFile()) return found;
  } catch (error) {
    await found?.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined;
    throw error;
  }
  await found.close();
  return undefined;
}
