import { closeSync, lstatSync, readSync, type Stats } from "node:fs";
import type { SourceReader } from "../sources/sources.ts";
import { inFolder, openRegular } from "./open-folder.ts";

/** Milliseconds after which another change is certain to have a different time. */
const TICK_MS = 2_100;

let times = 0;

/** A string that changes whenever the file may have changed. */
export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  const isOld = ctimeMs < Date.now() - TICK_MS;
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}${isOld ? "" : ` ${++times}`}`;
}

/** Reads the files that determine which files are the project's own. */
export function createSourceReader(root: string): SourceReader {
  return {
    read(path, limit) {
      try {
        return inFolder(root, path, {}, (target) => {
          const { fd, size } = openRegular(target, path);
          try {
            const bytes = Buffer.allocUnsafe(Math.min(size, limit));
            let filled = 0;
            while (filled < bytes.length) {
              const count = readSync(fd, bytes, filled, bytes.length - filled, filled);
              if (count === 0) break;
              filled += count;
            }
            return bytes.subarray(0, filled);
          } finally {
            closeSync(fd);
          }
        });
      } catch {
        return undefined;
      }
    },
    stamp(path) {
      try {
        const stat = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
        return stat && stampOf(stat);
      } catch {
        // The path is too long, or its parent is a file.
        return undefined;
      }
    },
  };
}
