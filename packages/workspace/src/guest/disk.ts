import {
  closeSync,
  fstatSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";

/** What a write asks of the disk, so that a test can let any of it fail. */
export interface Disk {
  open(path: string, flags: number, mode?: number): number;
  makeFolder(path: string): void;
  /** @returns how many bytes were taken, which may be fewer than given. */
  write(fd: number, bytes: Uint8Array): number;
  /** Resolves when what was written survives a power cut. */
  sync(fd: number): Promise<void>;
  close(fd: number): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

// Only what waits for the disk is handed to another thread: each such errand costs more than the rest together.
export const disk: Disk = {
  open: openSync,
  makeFolder: (path) => mkdirSync(path),
  write: (fd, bytes) => writeSync(fd, bytes),
  sync: promisify(fsync),
  close: closeSync,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
};

/**
 * Makes renames in a folder survive a power cut. Whoever asks while a sync of the same folder is under way shares the
 * one after it: of 64 writes at once, 64 syncs of their folder would cost as much as those of the files.
 * The descriptor has to stay open until the promise settles.
 */
export function createFolderSync({ sync }: Disk): (folder: number) => Promise<void> {
  /** By device and inode; `next` is what begins when the sync that is under way has ended. */
  const busy = new Map<string, { next?: { fd: number; done: PromiseWithResolvers<void> } }>();

  async function run(key: string, fd: number): Promise<void> {
    busy.set(key, {});
    try {
      await sync(fd);
    } finally {
      const { next } = busy.get(key)!;
      busy.delete(key);
      if (next) run(key, next.fd).then(next.done.resolve, next.done.reject);
    }
  }

  return async (fd) => {
    const { dev, ino } = fstatSync(fd);
    const key = `${dev}:${ino}`;
    const under = busy.get(key);
    if (!under) return run(key, fd);
    under.next ??= { fd, done: Promise.withResolvers<void>() };
    return under.next.done.promise;
  };
}
