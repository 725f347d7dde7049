import { closeSync, lstatSync, readSync, type Stats } from "node:fs";
import type { SourceReader } from "../sources/sources.ts";
import { inFolder, openRegular } from "./open-folder.ts";

/** Milliseconds after which a change can no longer be followed by another one of the same time. */
const TICK_MS = 2_100;

let times = 0;

/** A text that is another whenever the file may be. */
export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  const isOld = ctimeMs < Date.now() - TICK_MS;
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}${isOld ? "" : ` ${++times}`}`;
}

/** How the guest reads what decides which files are the project's own. */
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
        // A path that is too long, or below a file.
        return undefined;
      }
    },
  };
}
