import { cp, lstat } from "node:fs/promises";
import { basename } from "node:path";

/** Bytes that all files of a copy say they have: one with holes may say any number, and takes them once it is copied. */
const MOST = 2 * 1024 * 1024 * 1024;

/**
 * Copies a folder that generated code wrote: folders, plain files, and links as they are. What somebody would wait for
 * (pipes, sockets, devices) is left out (A108).
 * @param leaveOut names of files and folders, at every depth; none by default
 * @throws Error where there is more than 2 GB, or a path that the system does not take; `to` may hold a part of it then
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
