import { createHmac } from "node:crypto";
import { statSync } from "node:fs";
import { keyPath, loadKey } from "./load-key.ts";

/**
 * What a data folder is known by where it has something outside of itself. A copy of it has another mark, on whatever
 * machine, and so has one that was moved by way of a copy: its files are other files. Renamed, or mounted elsewhere, it has the
 * same. It tells nothing of the folder. Throws what the file system throws.
 */
export function folderMark(directory: string): string {
  const key = loadKey(directory);
  const { ino, birthtimeMs } = statSync(keyPath(directory), { bigint: true });
  return createHmac("sha256", key)
    .update(`treadle folder ${ino} ${birthtimeMs}`)
    .digest("hex")
    .slice(0, 32);
}
