import { fstatSync, rmdirSync } from "node:fs";
import { TEMPORARY_PREFIX } from "../ignored.ts";
import type { Disk } from "./disk.ts";
import { FOLDER } from "./open-folder.ts";

/**
 * Git looks into no folder of this name unless it is a repository, whatever else it is told: a person's `git add -A` of that
 * moment neither trips over what is gone again nor takes it in. What else reads folders leaves it out as well.
 */
const NAME = ".git";
/** Another writer takes the folder away when it has done, perhaps before this one has put anything in. */
const TRIES = 20;

/** Inodes of the folders that are written in, and by how many. */
const used = new Map<number, number>();

/** Whether a folder called `.git` is one that something is being written in. */
export const isDraftPlace = (inode: number): boolean => used.has(inode);

/** Where a file is written before it is renamed: in the same folder, so that this is the same disk. */
export interface DraftPlace {
  /** A folder, for as long as the place is open. */
  folder: string;
  /** What a name in it begins with. */
  prefix: string;
  close(): void;
}

/** @param folder by which an open folder can be reached, as `/proc/self/fd/7`; it has to stay open until `close` */
export function openDraftPlace(folder: string, disk: Disk): DraftPlace {
  for (let tries = 1; ; tries++) {
    try {
      return openHidden(folder, disk);
    } catch (error) {
      removeEmpty(`${folder}/${TEMPORARY_PREFIX}`);
      // Somebody has a file, a link or a folder of another's under that name: the draft is beside the file then.
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

/** Made first and asked later: it is hardly ever there, and a call that fails costs more than one that does not. */
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
    // It is not there, somebody writes in it, or the disk does not let it go: it is hidden, and swept later.
  }
}

/** A link is no folder either: what is opened here is never one. */
const isTaken = (error: unknown) =>
  ["ENOTDIR", "ELOOP", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "");
