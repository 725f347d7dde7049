import { createHash, createHmac } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { isSecretFile } from "../ignored.ts";
import { inFolder, openRegular } from "./open-folder.ts";

/** Bytes read at once: a video in the project must not be held in memory as a whole. */
const PIECE = 1024 * 1024;

/** Git's own id of the file's content, or for a secret file a digest that cannot be guessed without the key. Throws where it cannot be read. */
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
 * A digest of a large file by its size, its time of change and what stands at its beginning and its end: its whole content
 * would take longer to read than anybody waits. Throws where it cannot be read.
 * @param options.bytes of the beginning, and of the end
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

/** Git's own id of a blob, so that a checkpoint needs to store only what it has not yet. */
export function blobHash(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
