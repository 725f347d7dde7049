import { fstatSync, rmdirSync } from "node:fs";
import { TEMPORARY_PREFIX } from "../ignored.ts";
import type { Disk } from "./disk.ts";
import { FOLDER } from "./open-folder.ts";

/**
 * Git never looks into a folder of this name unless it is a repository, whatever its options. A
 * person's `git add -A` therefore neither fails on a draft that disappears nor adds one. Other
 * tools that read folders skip it as well.
 */
const NAME = ".git";
/**
 * Maximum number of attempts: another writer may remove the folder when it has finished, before this one has written
 * anything.
 */
const TRIES = 20;

/** Inodes of the folders in use, each with its number of writers. */
const used = new Map<number, number>();

/** Whether a folder called `.git` is currently used for drafts. */
export const isDraftPlace = (inode: number): boolean => used.has(inode);

/**
 * Where a draft is written before it is renamed: in the folder of the file itself, and so on the
 * same disk.
 */
export interface DraftPlace {
  /** A folder, valid until `close`. */
  folder: string;
  /** Prefix of all names in it. */
  prefix: string;
  close(): void;
}

/**
 * Opens a place for a draft, creating its folders.
 * @param folder the path of an open folder, such as `/proc/self/fd/7`; it has to stay open until `close`
 */
export function openDraftPlace(folder: string, disk: Disk): DraftPlace {
  for (let tries = 1; ; tries++) {
    try {
      return openHidden(folder, disk);
    } catch (error) {
      removeEmpty(`${folder}/${TEMPORARY_PREFIX}`);
      // Someone has a file, a link or a folder of another user under that name: the draft is
      // written beside the file then.
      if (isTaken(error)) return { folder, prefix: `${TEMPORARY_PREFIX}-`, close: () => {} };
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === TRIES) throw error;
    }
  }
}

function openHidden(folder: string, disk: Disk): DraftPlace {
  const outer = openMade(`${folder}/${TEMPORARY_PREFIX}`, disk);
  const inner = `/proc/self/fd/${outer}/${NAME}`;
  let fd: number;
  try {
    fd = openMade(inner, disk);
  } catch (error) {
    removeEmpty(inner);
    disk.close(outer);
    throw error;
  }
  const { ino } = fstatSync(fd);
  used.set(ino, (used.get(ino) ?? 0) + 1);
  return {
    folder: `/proc/self/fd/${fd}`,
    prefix: "",
    close() {
      const others = used.get(ino)! - 1;
      if (others > 0) used.set(ino, others);
      else {
        used.delete(ino);
        removeEmpty(inner);
        removeEmpty(`${folder}/${TEMPORARY_PREFIX}`);
      }
      disk.close(fd);
      disk.close(outer);
    },
  };
}

/**
 * Opens the folder, creating it first: it hardly ever exists, and a failing call costs more than a
 * successful one.
 */
function openMade(path: string, disk: Disk): number {
  try {
    disk.makeFolder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return disk.open(path, FOLDER);
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It does not exist, is in use, or the disk refuses: it is hidden, and swept later.
  }
}

/** Whether the name belongs to something other than a folder of this user, such as a link, which is never followed. */
const isTaken = (error: unknown) =>
  ["ENOTDIR", "ELOOP", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "");
