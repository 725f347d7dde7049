import { sentence } from "@treadle/protocol/sentences";
import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { WorkspaceError } from "../types.ts";
import { disk as systemDisk, type Disk } from "./disk.ts";

/** Flags for opening a folder that must not be a link. */
export const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** An open folder, and a path of an entry in it. */
export interface OpenFolder {
  /** A path that reaches the entry through the open folder. */
  target: string;
  folder: string;
  /** The folder's descriptor, open until `close`. */
  fd: number;
  close(): void;
}

/**
 * Opens the folder that contains `path`, one part at a time and never through a link. Operations go
 * through the open folder's descriptor, so that swapping a folder for a link in the meantime has no
 * effect (A21); this is the only way to do `openat` in Node.
 * @param path checked, project-relative
 * @param options `make`: creates missing folders
 */
export function openFolder(
  root: string,
  path: string,
  options: { make?: boolean; disk?: Disk } = {},
): OpenFolder {
  const { make, disk = systemDisk } = options;
  const parts = path.split("/");
  const last = parts.pop()!;
  let fd = disk.open(root, FOLDER);
  try {
    for (const part of parts) {
      const below = `/proc/self/fd/${fd}/${part}`;
      let next: number;
      try {
        next = disk.open(below, FOLDER);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOENT" && make) {
          disk.makeFolder(below);
          next = disk.open(below, FOLDER);
          // O_NOFOLLOW with O_DIRECTORY reports a link as ENOTDIR; report which of the two it is.
        } else if (code === "ENOTDIR" && lstatSync(below).isSymbolicLink()) {
          throw new WorkspaceError(
            "path",
            sentence("path-through-link", { path: JSON.stringify(path) }),
          );
        } else throw error;
      }
      disk.close(fd);
      fd = next;
    }
  } catch (error) {
    disk.close(fd);
    throw error;
  }
  const folder = `/proc/self/fd/${fd}`;
  return {
    target: last === "" ? folder : `${folder}/${last}`,
    folder,
    fd,
    close: () => disk.close(fd),
  };
}

/** Runs a synchronous operation on an entry of a folder, which is opened as by `openFolder` and closed afterwards. */
export function inFolder<T>(
  root: string,
  path: string,
  options: { make?: boolean },
  use: (target: string, folder: string) => T,
): T {
  const { target, folder, close } = openFolder(root, path, options);
  try {
    return use(target, folder);
  } finally {
    close();
  }
}

/** @throws WorkspaceError `path` if any part of `path` is a link; a missing part is accepted. */
export function refuseLinks(root: string, path: string): void {
  if (path === "") return;
  try {
    inFolder(root, path, {}, (target) => {
      if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new WorkspaceError("path", sentence("path-is-link", { path: JSON.stringify(path) }));
    });
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
  }
}

/**
 * Opens a regular file for reading, without following a link or waiting on a FIFO or device (A22). Throws
 * WorkspaceError `not-a-file` for anything else.
 */
export function openRegular(target: string, path: string): { fd: number; size: number } {
  const fd = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, size: stat.size };
  closeSync(fd);
  throw new WorkspaceError(
    "not-a-file",
    stat.isDirectory()
      ? sentence("path-is-folder", { path: JSON.stringify(path) })
      : sentence("path-not-plain", { path: JSON.stringify(path) }),
  );
}
