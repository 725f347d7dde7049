import { createHmac } from "node:crypto";
import { statfsSync, statSync } from "node:fs";
import { keyPath, loadKey } from "./load-key.ts";

/**
 * File systems that may assign a file another inode on each mount: FUSE, through which folders of macOS or Windows are
 * mounted into a virtual machine for containers, and 9P (linux/magic.h). A copy cannot be distinguished from its
 * original there.
 */
const NUMBERED_ANEW = new Set([0x65735546, 0x01021997]);

/**
 * Identifies a data folder to resources outside it. A copy has another mark on any machine, and so has a folder that was
 * moved by copying, because its files have other inodes. Renaming or remounting keeps the mark. It reveals nothing about
 * the folder. Throws any file system error.
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
