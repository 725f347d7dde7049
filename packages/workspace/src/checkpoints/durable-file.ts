import * as fs from "node:fs";
import { dirname } from "node:path";
import { toWorkspaceError } from "./host-error.ts";

/**
 * Writes a file under a temporary name and syncs it to the disk. Rejects with `WorkspaceError`,
 * leaving nothing behind.
 */
export async function writeSynced(path: string, bytes: Uint8Array | string): Promise<void> {
  try {
    const file = fs.openSync(path, "w", 0o644);
    try {
      fs.writeFileSync(file, bytes);
      await synced(file);
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    fs.rmSync(path, { force: true });
    throw toWorkspaceError(error);
  }
}

/** Renames a synced file to its final name, replacing an older one. */
export async function renameSynced(from: string, to: string): Promise<void> {
  try {
    fs.renameSync(from, to);
    const folder = fs.openSync(dirname(to), "r");
    try {
      await synced(folder);
    } finally {
      fs.closeSync(folder);
    }
  } catch (error) {
    throw toWorkspaceError(error);
  }
}

/** Asynchronous, so that a slow disk does not block the thread. */
const synced = (file: number) =>
  new Promise<void>((resolve, reject) => {
    fs.fsync(file, (error) => (error ? reject(error) : resolve()));
  });
