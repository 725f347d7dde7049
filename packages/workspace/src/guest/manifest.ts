import { createHash, createHmac } from "node:crypto";
import { closeSync, lstatSync, readSync, readlinkSync, type Stats } from "node:fs";
import { isDataFile, isSecretFile } from "../ignored.ts";
import type { ManifestEntry } from "../wire/requests.ts";
import { inFolder, openRegular } from "./open-folder.ts";
import { walk } from "./walk.ts";

/** Bytes read at once: a video in the project must not be held in memory as a whole. */
const PIECE = 1024 * 1024;

/** A file as it was looked at last. */
interface Known {
  ino: number;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  entry: ManifestEntry;
}

/**
 * Describes the project's files but what the app itself keeps (see `isDataFile`), hashing only what changed since the last call (by inode, size and times).
 * Returns a function, since it keeps those hashes. Of many files nothing is made anew where nothing changed: what is left
 * is what the kernel takes to tell of each.
 */
export function createManifest(root: string, secretKey: string): () => ManifestEntry[] {
  let known = new Map<string, Known>();
  return () => {
    const entries: ManifestEntry[] = [];
    const next = new Map<string, Known>();
    for (const { path, entry } of walk(root)) {
      const before = known.get(path);
      if (!before && isDataFile(path)) continue;
      if (entry.isSymbolicLink()) {
        const target = attempt(() => readlinkSync(`${root}/${path}`));
        if (target !== undefined)
          entries.push({ path, mode: "120000", hash: blobHash(Buffer.from(target)) });
        continue;
      }
      if (!entry.isFile()) continue;
      const stat = lookAt(`${root}/${path}`);
      if (!stat) continue;
      const { ino, size, mtimeMs, ctimeMs } = stat;
      // Its mode cannot change without its time of change.
      const isSame =
        before?.ctimeMs === ctimeMs &&
        before.mtimeMs === mtimeMs &&
        before.size === size &&
        before.ino === ino;
      if (isSame) {
        next.set(path, before);
        entries.push(before.entry);
        continue;
      }
      const hash = attempt(() => hashFile(root, path, secretKey));
      if (hash === undefined) continue;
      const found: ManifestEntry = {
        path,
        mode: stat.mode & 0o100 ? "100755" : "100644",
        hash,
        secret: isSecretFile(path) || undefined,
      };
      next.set(path, { ino, size, mtimeMs, ctimeMs, entry: found });
      entries.push(found);
    }
    known = next;
    return entries;
  };
}

/** As a file; undefined where it is none any more. Times have a part of a microsecond, far less than a clock's tick. */
function lookAt(path: string): Stats | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? stat : undefined;
  } catch {
    return undefined;
  }
}

/** Git's own id of the file's content, or for a secret file a digest that cannot be guessed without the key. */
function hashFile(root: string, path: string, secretKey: string): string {
  return inFolder(root, path, {}, (target) => {
    const { fd, size } = openRegular(target, path);
    try {
      const hash = isSecretFile(path)
        ? createHmac("sha1", Buffer.from(secretKey, "hex"))
        : createHash("sha1").update(`blob ${size}\0`);
      const piece = Buffer.allocUnsafe(Math.min(PIECE, size));
      for (let at = 0; at < size;) {
        const count = readSync(fd, piece, 0, Math.min(piece.length, size - at), at);
        if (count === 0) break;
        hash.update(piece.subarray(0, count));
        at += count;
      }
      return hash.digest("hex");
    } finally {
      closeSync(fd);
    }
  });
}

/** Git's own id of a blob, so that a checkpoint needs to store only what it has not yet. */
function blobHash(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Files come and go while a command runs; what is gone is simply not part of the revision. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
