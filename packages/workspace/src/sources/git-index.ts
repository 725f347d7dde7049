/** Bytes of fixed length before the name of an entry, without the object's hash. */
const STAT_BYTES = 40;
const HASH_BYTES = 20;
/** A larger index is not read: only the ignore rules apply to the files of its repository. */
export const INDEX_BYTES = 128 * 1024 * 1024;

/** Paths tracked by a repository. */
export interface TrackedPaths {
  has(path: string): boolean;
  /** Whether one of them is below a folder. */
  hasBelow(folder: string): boolean;
}

/**
 * Reads the paths that git tracks from its index (gitformat-index(5), versions 2 to 4).
 * @returns no paths for an invalid or truncated index, which any program of the project can write
 */
export function readGitIndex(bytes: Buffer): TrackedPaths {
  const paths: string[] = [];
  try {
    if (bytes.toString("latin1", 0, 4) === "DIRC") readEntries(bytes, paths);
  } catch {
    paths.length = 0;
  }
  paths.sort();
  /** Index of a path, or of the first path after it. */
  const find = (path: string): number => {
    let [low, high] = [0, paths.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (paths[middle]! < path) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    has: (path) => paths[find(path)] === path,
    hasBelow: (folder) => paths[find(`${folder}/`)]?.startsWith(`${folder}/`) === true,
  };
}

/** @throws RangeError if the index is truncated */
function readEntries(bytes: Buffer, paths: string[]): void {
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return;
  let at = 12;
  let before = "";
  for (let n = 0; n < count; n++) {
    const flagsAt = at + STAT_BYTES + HASH_BYTES;
    const isExtended = (bytes.readUInt16BE(flagsAt) & 0x4000) !== 0;
    let nameAt = flagsAt + (isExtended ? 4 : 2);
    let shared = "";
    if (version === 4) {
      let removed = 0;
      for (let more = true; more;) {
        const byte = bytes.readUInt8(nameAt++);
        removed = removed * 128 + (byte & 0x7f);
        more = (byte & 0x80) !== 0;
        if (more) removed++;
      }
      shared = before.slice(0, before.length - removed);
    }
    const end = bytes.indexOf(0, nameAt);
    if (end === -1) throw new RangeError("an entry has no end");
    // Decoded later, because prefix lengths are in bytes.
    const name = shared + bytes.toString("latin1", nameAt, end);
    paths.push(Buffer.from(name, "latin1").toString());
    before = name;
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
}
