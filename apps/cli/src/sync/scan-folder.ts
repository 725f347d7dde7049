import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "@treadle/workspace/sources";
import { createFolderSources, type FolderWalk } from "./folder-sources.ts";
import type { SyncedFile } from "./types.ts";

/** Maximum size of a synchronized file, in bytes. Larger ones are skipped, and reported once. */
export const LARGEST_BYTES = 100 * 1024 * 1024;
/**
 * A file written this shortly before it was read may be written again within the same clock tick.
 */
const FRESH_MS = 2_000;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export const versionOf = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");

/**
 * Reads a regular file, without following links or waiting for a pipe. Undefined if it is not a
 * regular file, or too large.
 */
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

/** Whether an error means that there is no regular file in real folders; anything else there counts as missing. */
const isGone = (error: unknown) =>
  ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENXIO"].includes((error as NodeJS.ErrnoException).code ?? ""); // prettier-ignore

/**
 * Scans a folder's sources repeatedly. A file is read again only if its times, its size or its inode changed. Links are
 * never followed.
 * @param isIncluded which paths count, folders included
 * @param onLeftOut called once for each path that is not a regular file, or too large
 */
export function createScan(
  root: string,
  isIncluded: (path: string) => boolean,
  onLeftOut: (path: string, why: string) => void,
) {
  let known = new Map<string, Seen>();
  const sources = createFolderSources(root);
  const reported = new Set<string>();
  const leaveOut = (path: string, why: string) => {
    if (!reported.has(path)) onLeftOut(path, why);
    reported.add(path);
  };

  async function stampOf(path: string) {
    const { ino, size, mtimeNs, ctimeNs, mtimeMs } = await lstat(join(root, path), { bigint: true }); // prettier-ignore
    return { stamp: `${ino} ${size} ${mtimeNs} ${ctimeNs}`, size, fresh: Date.now() - Number(mtimeMs) < FRESH_MS }; // prettier-ignore
  }

  /** The version of a file, read only if it may have changed; undefined if it is missing or skipped. */
  async function look(path: string, before: Seen | undefined): Promise<Seen | undefined> {
    const found = await stampOf(path).catch(() => undefined);
    if (!found) return undefined;
    if (before && !before.fresh && before.stamp === found.stamp) return before;
    if (found.size > LARGEST_BYTES) return void leaveOut(path, "it is larger than 100 MB");
    const version = (await readPlainFile(join(root, path)))?.version;
    return version === undefined ? undefined : { ...found, version };
  }

  async function walk(from: FolderWalk, before: ReadonlyMap<string, Seen>) {
    const now = new Map<string, Seen>();
    const folders: { path: string; name: string; parent: Place | undefined }[] = [
      { path: "", name: "", parent: undefined },
    ];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const { path: under, name: called, parent } = folder;
      const entries = await readdir(join(root, under), { withFileTypes: true }).catch(
        (error: unknown) => {
          if (under !== "" && isGone(error)) return [];
          throw error;
        },
      );
      const place = from.enter(parent, called, new Set(entries.map(({ name }) => name)));
      if (!place) continue;
      for (const entry of entries) {
        const path = under === "" ? entry.name : `${under}/${entry.name}`;
        if (!isIncluded(path)) continue;
        if (entry.isDirectory()) {
          if (from.mayEnter(place, entry.name)) folders.push({ path, name: entry.name, parent: place }); // prettier-ignore
        } else if (!entry.isFile())
          leaveOut(path, entry.isSymbolicLink() ? "it is a link" : "it is not a plain file");
        else if (from.isSource(place, entry.name)) {
          const seen = await look(path, before.get(path));
          if (!seen) continue;
          now.set(path, seen);
          from.add(path, seen.version);
        }
      }
    }
    return now;
  }

  /**
   * @param paths files that are synchronized already or exist in the project
   * @throws if the folder itself cannot be read, so that it is not mistaken for an empty one
   */
  return async (paths: Iterable<string>): Promise<Map<string, string>> => {
    await sources.walk(paths, async (from) => {
      known = await walk(from, known);
    });
    return new Map([...known].map(([path, { version }]) => [path, version]));
  };
}

interface Seen {
  stamp: string;
  version: string;
  fresh: boolean;
}
