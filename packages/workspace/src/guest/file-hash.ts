import { createHash, createHmac } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { isSecretFile } from "../ignored.ts";
import { inFolder, openRegular } from "./open-folder.ts";

/** Number of bytes read at once: a video in the project must not be held in memory as a whole. */
const PIECE = 1024 * 1024;

/**
 * Git's id of the file's content; for a secret file, a keyed digest that cannot be guessed. Throws
 * if the file cannot be read.
 */
export function hashFile(root: string, path: ProjectPath, secretKey: string): string {
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

/**
 * A digest of a large file by its size, its modification time, and the bytes at its start and its end: reading the
 * whole content would take too long. Throws if the file cannot be read.
 * @param options.bytes length in bytes of each of the two parts
 */
export function hashLarge(
  root: string,
  path: ProjectPath,
  { stat, key, bytes }: { stat: { size: number; mtimeMs: number }; key: string; bytes: number },
): string {
  return inFolder(root, path, {}, (target) => {
    const { fd } = openRegular(target, path);
    try {
      const hash = createHmac("sha1", Buffer.from(key, "hex"));
      hash.update(`large ${stat.size} ${stat.mtimeMs}\0`);
      const piece = Buffer.allocUnsafe(bytes);
      for (const at of [0, Math.max(0, stat.size - bytes)])
        hash.update(piece.subarray(0, readSync(fd, piece, 0, bytes, at)));
      return hash.digest("hex");
    } finally {
      closeSync(fd);
    }
  });
}

/** Git's id of a blob, so that a checkpoint only stores blobs that are new. */
export function blobHash(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
