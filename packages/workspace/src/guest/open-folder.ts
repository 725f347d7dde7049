import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { WorkspaceError } from "../types.ts";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens the folder that holds `path`, one part at a time and never through a link, and calls `use` with a path by which
 * the last part can be reached. It goes through the open folder's descriptor, so that a folder which is swapped for a
 * link in the meantime changes nothing (A21); this is `openat` in the only spelling that Node has.
 * @param path checked, project-relative
 */
export function inFolder<T>(
  root: string,
  path: string,
  options: { make?: boolean },
  use: (target: string, folder: string) => T,
): T {
  const parts = path.split("/");
  const last = parts.pop()!;
  let fd = openSync(root, FOLDER);
  const release = () => closeSync(fd);
  try {
    for (const part of parts) {
      const below = `/proc/self/fd/${fd}/${part}`;
      let next: number;
      try {
        next = openSync(below, FOLDER);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOENT" && options.make) {
          mkdirSync(below);
          next = openSync(below, FOLDER);
          // O_NOFOLLOW with O_DIRECTORY reports a link as ENOTDIR; say which of the two it is.
        } else if (code === "ENOTDIR" && lstatSync(below).isSymbolicLink()) {
          throw new WorkspaceError(
            "path",
            `${JSON.stringify(path)} goes through a link, which is not followed`,
          );
        } else throw error;
      }
      closeSync(fd);
      fd = next;
    }
    const target = last === "" ? `/proc/self/fd/${fd}` : `/proc/self/fd/${fd}/${last}`;
    const result = use(target, `/proc/self/fd/${fd}`);
    if (result instanceof Promise) {
      const held = fd;
      fd = -1;
      return result.finally(() => closeSync(held)) as T;
    }
    return result;
  } finally {
    if (fd !== -1) release();
  }
}

/** @throws WorkspaceError `path` when any part of `path` is a link; what is not there is no reason to refuse. */
export function refuseLinks(root: string, path: string): void {
  if (path === "") return;
  try {
    inFolder(root, path, {}, (target) => {
      if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new WorkspaceError(
          "path",
          `${JSON.stringify(path)} is a link, which is not followed`,
        );
    });
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
  }
}

/** Opens a regular file for reading, without following a link or waiting on a FIFO or device (A22). */
export function openRegular(target: string, path: string): { fd: number; size: number } {
  const fd = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, size: stat.size };
  closeSync(fd);
  throw new WorkspaceError(
    "not-a-file",
    stat.isDirectory()
      ? `${JSON.stringify(path)} is a folder`
      : `${JSON.stringify(path)} is not a plain file and is not opened`,
  );
}
