import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ID = /^[0-9a-f]{40}$/;

/** Path of the list in a git directory. */
const listFile = (gitDirectory: string) => join(gitDirectory, "treadle-blobs");

/** Ids of stored objects, listed in a file, because asking git takes a process each time. */
export interface StoredObjects {
  has(hash: string): boolean;
  /** Call after they have been synced to the disk. */
  add(hashes: readonly string[]): void;
  /**
   * Call before other objects are deleted: an unlisted object is merely stored again, but a listed
   * one that is deleted would be missing.
   */
  replace(hashes: readonly string[]): void;
}

/** Reads the list. Losing its end, or all of it, only costs disk space. */
export function openStoredObjects(gitDirectory: string): StoredObjects {
  const file = listFile(gitDirectory);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  let known = new Set(lines.filter((line) => ID.test(line)));
  /** The lines to write. Each starts with a line break, in case the line before it was cut. */
  const text = (hashes: readonly string[]) => hashes.map((hash) => `\n${hash}`).join("");
  return {
    has: (hash) => known.has(hash),
    add(hashes) {
      if (hashes.length === 0) return;
      for (const hash of hashes) known.add(hash);
      appendFileSync(file, text(hashes), { mode: 0o600 });
    },
    replace(hashes) {
      known = new Set(hashes);
      // A truncated line would name an object that does not exist.
      writeFileSync(`${file}.new`, text(hashes), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}
