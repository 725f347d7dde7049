import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SyncedFile } from "./types.ts";

/** Larger files are left out, and told once. */
export const LARGEST_BYTES = 100 * 1024 * 1024;
/** A file that was written so shortly before it was read may be written again within one tick of its clock. */
const FRESH_MS = 2_000;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export const versionOf = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

/** A plain file's bytes, without following a link or waiting for a pipe. Undefined where it is none, or too large. */
export async function readPlainFile(path: string): Promise<SyncedFile | undefined> {
  let file;
  try {
    file = await open(path, READ);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > LARGEST_BYTES) return undefined;
    const bytes = await file.readFile();
    return { bytes, version: versionOf(bytes) };
  } finally {
    await file.close();
  }
}

/** Reading needs a plain file in plain folders; anything else is as good as no file. */
const isGone = (error: unknown) =>
  ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENXIO"].includes((error as NodeJS.ErrnoException).code ?? ""); // prettier-ignore

/**
 * Reads which files a folder holds, again and again: a file is only read anew where its times, its size or the file itself
 * became others. Links are never followed.
 * @param wanted which paths count, folders among them
 * @param onLeftOut told once of each path that is no plain file, or too large
 */
export function createScan(
  root: string,
  wanted: (path: string) => boolean,
  onLeftOut: (path: string, why: string) => void,
) {
  // prettier-ignore
  let known = new Map<string, { stamp: string; version: string; fresh: boolean }>();
  const told = new Set<string>();
  const leaveOut = (path: string, why: string) => {
    if (!told.has(path)) onLeftOut(path, why);
    told.add(path);
  };

  async function stampOf(path: string) {
    const { ino, size, mtimeNs, ctimeNs, mtimeMs } = await lstat(join(root, path), { bigint: true }); // prettier-ignore
    return { stamp: `${ino} ${size} ${mtimeNs} ${ctimeNs}`, size, fresh: Date.now() - Number(mtimeMs) < FRESH_MS }; // prettier-ignore
  }

  /** @throws where the folder itself cannot be read: it then is not taken for empty */
  return async (): Promise<Map<string, string>> => {
    const now: typeof known = new Map();
    const folders = [""];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(
        (error: unknown) => {
          // prettier-ignore
          if (folder !== "" && isGone(error)) return [];
          throw error;
        },
      );
      for (const entry of entries) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (!wanted(path)) continue;
        if (entry.isDirectory()) folders.push(path);
        else if (!entry.isFile())
          leaveOut(path, entry.isSymbolicLink() ? "it is a link" : "it is not a plain file"); // prettier-ignore
        else {
          const found = await stampOf(path).catch(() => undefined);
          if (!found) continue;
          const before = known.get(path);
          if (before && !before.fresh && before.stamp === found.stamp) {
            now.set(path, before);
            continue;
          }
          const { stamp, fresh } = found;
          if (found.size > LARGEST_BYTES) leaveOut(path, "it is larger than 100 MB");
          else {
            const version = (await readPlainFile(join(root, path)))?.version;
            if (version !== undefined) now.set(path, { stamp, version, fresh });
          }
        }
      }
    }
    known = now;
    return new Map([...now].map(([path, { version }]) => [path, version]));
  };
}
