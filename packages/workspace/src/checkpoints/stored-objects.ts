import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ID = /^[0-9a-f]{40}$/;

/** Where the list is, in a git directory. */
const listFile = (gitDirectory: string) => join(gitDirectory, "treadle-blobs");

/** Objects that are stored already; a file lists them, since asking git costs a process each time. */
export interface StoredObjects {
  has(hash: string): boolean;
  /** They are on the disk by now. */
  add(hashes: readonly string[]): void;
  /** Before others go: what is not listed is stored once more, what is listed and gone would be missed. */
  replace(hashes: readonly string[]): void;
}

/** Reads the list. One that lost its end, or all of itself, costs room and nothing else. */
export function openStoredObjects(gitDirectory: string): StoredObjects {
  const file = listFile(gitDirectory);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  let known = new Set(lines.filter((line) => ID.test(line)));
  /** Written at once and starting with a line break, in case an earlier line was cut. */
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
