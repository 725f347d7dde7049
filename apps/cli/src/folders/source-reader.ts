import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { SourceReader } from "@treadle/workspace/sources";

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads files of a folder without following links or blocking on pipes. */
export function readerOf(root: string): SourceReader {
  return {
    read(path, limit) {
      let file: number | undefined;
      try {
        file = openSync(join(root, path), READ);
        const found = fstatSync(file);
        if (!found.isFile()) return undefined;
        const bytes = Buffer.alloc(Math.min(found.size, limit));
        return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
      } catch {
        return undefined;
      } finally {
        if (file !== undefined) closeSync(file);
      }
    },
    stamp(path) {
      try {
        const found = lstatSync(join(root, path), { throwIfNoEntry: false });
        return found && `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
      } catch {
        return undefined;
      }
    },
  };
}
