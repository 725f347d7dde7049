import { gunzipSync } from "node:zlib";

/** Maximum size of an unpacked archive, in bytes. */
const UNPACKED_LIMIT = 160 * 1024 * 1024;
const BLOCK = 512;

/**
 * Reads the regular files of an npm archive that `isWanted` accepts, by path in the package. Throws for an invalid
 * archive.
 */
export function readArchive(
  archive: Buffer,
  isWanted: (path: string) => boolean,
): Map<string, Buffer> {
  const bytes = gunzipSync(archive, { maxOutputLength: UNPACKED_LIMIT });
  const files = new Map<string, Buffer>();
  const field = (at: number, length: number) =>
    bytes.toString("utf8", at, at + length).split("\0", 1)[0]!;
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0;) {
    const size = Number.parseInt(field(at + 124, 12).trim() || "0", 8);
    if (!(size >= 0) || at + BLOCK + size > bytes.length)
      throw new Error("The archive ends in the middle.");
    const kind = bytes[at + 156];
    const prefix = field(at + 345, 155);
    const path = (prefix === "" ? "" : `${prefix}/`) + field(at, 100);
    const inside = path.replace(/^[^/]+\//, "");
    // "0", or NUL in old archives.
    if ((kind === 48 || kind === 0) && isWanted(inside))
      files.set(inside, Buffer.from(bytes.subarray(at + BLOCK, at + BLOCK + size)));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
