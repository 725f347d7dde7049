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

/** The disk operations of a write, so that tests can let any of them fail. */
export interface Disk {
  open(path: string, flags: number, mode?: number): number;
  makeFolder(path: string): void;
  /** @returns the number of bytes written, which may be fewer than given. */
  write(fd: number, bytes: Uint8Array): number;
  /** Resolves when the written data would survive a power cut. */
  sync(fd: number): Promise<void>;
  close(fd: number): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

// Only operations that wait for the disk run on another thread: a switch of threads costs more than
// all other operations together.
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
 * Makes renames in a folder survive a power cut. Calls that arrive during a sync of the same folder
 * share the next sync: with 64 concurrent writes, 64 syncs of the folder would cost as much as
 * those of the files. The descriptor has to stay open until the promise settles.
 */
export function createFolderSync({ sync }: Disk): (folder: number) => Promise<void> {
  /** Keyed by device and inode; `next` is the sync that starts once the current one has ended. */
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
