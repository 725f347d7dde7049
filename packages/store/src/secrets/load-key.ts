import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "secrets.key";
const BYTES = 32;

export const keyPath = (directory: string): string => join(directory, FILE);

/**
 * The key that encrypts a data folder's secrets. It is stored beside the database, so that a copy
 * of the database alone reveals nothing. Created at the first call, readable by its owner only.
 * Throws any file system error.
 */
export function loadKey(directory: string): Uint8Array {
  const path = keyPath(directory);
  const known = knownKey(directory);
  if (known) return known;
  const key = randomBytes(BYTES);
  // Written atomically: half a key would make every secret unreadable.
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, key.toString("hex"), { mode: 0o600, flush: true });
  try {
    // Unlike a rename it keeps the key that another server of a shared folder has created meanwhile.
    linkSync(temporary, path);
    return key;
  } catch {
    const other = knownKey(directory);
    if (other) return other;
    // The file is damaged, or the file system has no links.
    renameSync(temporary, path);
    return key;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Reads the key that `loadKey` created; undefined if there is none. Throws any file system error. */
export function knownKey(directory: string): Uint8Array | undefined {
  try {
    const key = Buffer.from(readFileSync(keyPath(directory), "utf8").trim(), "hex");
    return key.length === BYTES ? key : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
