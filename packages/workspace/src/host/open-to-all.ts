import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chmod, lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

/** Permission to write for accounts that are neither the owner nor in the group. */
const OTHERS_WRITE = 0o002;
const LIST = "open-to-all.json";

/** Compares what others may write in a personal folder, before and after something ran in it. */
export interface OpenToAll {
  /**
   * Removes the permissions that others were given meanwhile. Nothing may be running in the folder.
   * Follows no links.
   */
  close(): Promise<void>;
}

/**
 * Records world-writable paths in a folder before it is given to a sandbox. A program in the sandbox may make others
 * writable (`chmod 666`), which would go unnoticed otherwise (A52). The record of a killed server stays valid, because
 * it could not restore the modes.
 */
export async function noteOpenToAll(directory: string, stateDirectory: string): Promise<OpenToAll> {
  const file = join(stateDirectory, LIST);
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await openIn(directory)));
  const before = new Set(JSON.parse(readFileSync(file, "utf8")) as string[]);
  return {
    async close() {
      if (!existsSync(directory)) return;
      for (const name of await openIn(directory)) {
        if (before.has(name)) continue;
        const path = join(directory, name);
        const { mode } = await lstat(path);
        await chmod(path, mode & 0o7777 & ~OTHERS_WRITE);
      }
      rmSync(file, { force: true });
    },
  };
}

/**
 * Files and folders that others may write to, the folder itself as `""`; the content of dependency
 * folders is left out, since they are closed as a whole.
 */
async function openIn(directory: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (name: string) => {
    const entry = await lstat(join(directory, name)).catch(() => undefined);
    if (!entry || entry.isSymbolicLink()) return false;
    if ((entry.mode & OTHERS_WRITE) !== 0) found.push(name);
    return entry.isDirectory();
  };
  const folders = (await look("")) ? [""] : [];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await opendir(join(directory, folder), { bufferSize: 1_000 }).catch(() => []);
    for await (const { name } of entries) {
      if (name === "node_modules") continue;
      const path = folder === "" ? name : join(folder, name);
      if (await look(path)) folders.push(path);
    }
  }
  return found;
}
