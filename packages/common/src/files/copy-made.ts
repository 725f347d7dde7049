import { cp, lstat } from "node:fs/promises";
import { basename } from "node:path";

/**
 * Limit of the apparent size of all files: a sparse file can claim any size, and would occupy it
 * when copied.
 */
const MOST = 2 * 1024 * 1024 * 1024;

/**
 * Copies a folder that generated code wrote: folders, regular files, and links unchanged. Leaves
 * out pipes, sockets and devices, which would block readers (A108).
 * @param leaveOut names of files and folders, at every depth; none by default
 * @throws Error if it is larger than 2 GB, or contains an invalid path; `to` may contain a part of
 * it then
 */
export async function copyMade(
  from: string,
  to: string,
  leaveOut: ReadonlySet<string> = new Set(),
): Promise<void> {
  let bytes = 0;
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    async filter(path) {
      if (path !== from && leaveOut.has(basename(path))) return false;
      const found = await lstat(path);
      if (found.isFile()) bytes += found.size;
      if (bytes > MOST) throw new Error("its files have more than 2 GB");
      return found.isFile() || found.isDirectory() || found.isSymbolicLink();
    },
  });
}
