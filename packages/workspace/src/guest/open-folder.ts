import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { WorkspaceError } from "../types.ts";
import { disk as systemDisk, type Disk } from "./disk.ts";

/** How a folder is opened that must not be a link. */
export const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** An open folder, and the last part of a path in it. */
export interface OpenFolder {
  /** By which the last part can be reached. */
  target: string;
  folder: string;
  /** Its descriptor, open until `close`. */
  fd: number;
  close(): void;
}

/**
 * Opens the folder that holds `path`, one part at a time and never through a link. What is done goes through the open
 * folder's descriptor, so that a folder which is swapped for a link in the meantime changes nothing (A21); this is
 * `openat` in the only spelling that Node has.
 * @param path checked, project-relative
 * @param options `make`: folders that are missing are made
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
          // O_NOFOLLOW with O_DIRECTORY reports a link as ENOTDIR; say which of the two it is.
        } else if (code === "ENOTDIR" && lstatSync(below).isSymbolicLink()) {
          throw new WorkspaceError(
            "path",
            `${JSON.stringify(path)} goes through a link, which is not followed`,
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

/** As `openFolder`, for something that is done at once. */
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
