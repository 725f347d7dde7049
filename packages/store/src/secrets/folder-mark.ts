import { createHmac } from "node:crypto";
import { statfsSync, statSync } from "node:fs";
import { keyPath, loadKey } from "./load-key.ts";

/**
 * File systems that may number the same file anew with each mount: FUSE, as which the folders of a Mac or of Windows come into
 * a machine for containers, and 9P (linux/magic.h). There a copy is not told from its original.
 */
const NUMBERED_ANEW = new Set([0x65735546, 0x01021997]);

/**
 * What a data folder is known by where it has something outside of itself. A copy of it has another mark, on whatever
 * machine, and so has one that was moved by way of a copy: its files are other files. Renamed, or mounted elsewhere, it has the
 * same. It tells nothing of the folder. Throws what the file system throws.
 */
export function folderMark(directory: string): string {
  const key = loadKey(directory);
  const isLasting = !NUMBERED_ANEW.has(statfsSync(directory).type);
  const { ino, birthtimeMs } = statSync(keyPath(directory), { bigint: true });
  return createHmac("sha256", key)
    .update(isLasting ? `treadle folder ${ino} ${birthtimeMs}` : "treadle folder")
    .digest("hex")
    .slice(0, 32);
}
