import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The beginning of a file of a folder, as text. Follows no link out of the folder, waits for no pipe or device (A22).
 * @param most bytes that are read
 * @returns undefined where there is no such file
 */
export async function readInside(
  folder: string,
  path: string,
  most: number,
): Promise<string | undefined> {
  const file = join(folder, path);
  let found;
  try {
    const above = relative(await realpath(folder), await realpath(dirname(file)));
    if (above !== dirname(path)) return undefined;
    found = await open(file, READ);
    if (!(await found.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await found.read(new Uint8Array(most), 0, most, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined;
    throw error;
  } finally {
    await found?.close();
  }
}
