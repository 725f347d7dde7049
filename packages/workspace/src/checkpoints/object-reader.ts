import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

/**
 * Maximum number of bytes by which packing may enlarge an object, and maximum length of its header.
 */
const [MORE, HEAD] = [1_024, 64];
/** Maximum length of a delta chain; git itself makes at most 50. */
const MOST_DELTAS = 100;
const [TREE, BLOB, DELTA] = [2, 3, 6];
const KINDS: Record<number, "tree" | "blob"> = { [TREE]: "tree", [BLOB]: "blob" };

/** A git object after parsing. */
export interface ReadObject {
  type: "tree" | "blob";
  bytes: Buffer;
}

/** Reads objects of a git directory in this process, because starting git takes much longer than the read itself. */
export interface ObjectReader {
  /**
   * Undefined if the object is missing, longer than `limit` bytes, packed in an unsupported way, or does not match its
   * id. The caller then asks git, whose answer is final.
   */
  read(hash: string, limit: number): ReadObject | undefined;
  /** The size of a blob in bytes; undefined if it is in no pack, or packed as a delta. The caller then asks git. */
  sizeOf(hash: string): number | undefined;
  close(): void;
}

interface Pack {
  index: Buffer;
  count: number;
  fd: number;
  size: number;
}

/** Opens the current packs (git's `gitformat-pack`, version 2); the caller has to call `close`. */
export function openObjectReader(gitDirectory: string): ObjectReader {
  const folder = join(gitDirectory, "objects/pack");
  const packs: Pack[] = [];
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!/^pack-[0-9a-f]{40}\.idx$/.test(name)) continue;
    const pack = attempt(() => openPack(join(folder, name.slice(0, -4))));
    if (pack) packs.push(pack);
  }

  return {
    read(hash, limit) {
      const found = attempt(
        () => readPacked(packs, hash, limit) ?? readLoose(gitDirectory, hash, limit),
      );
      if (!found) return undefined;
      const { type, bytes } = found;
      const is = createHash("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");
      return is === hash ? found : undefined;
    },
    sizeOf: (hash) => attempt(() => packedSize(packs, hash)),
    close() {
      for (const { fd } of packs) closeSync(fd);
    },
  };
}

function openPack(path: string): Pack | undefined {
  const index = readFileSync(`${path}.idx`);
  if (index.length < 1_072 || index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2)
    return undefined;
  const fd = openSync(`${path}.pack`, constants.O_RDONLY | constants.O_NOFOLLOW);
  return { index, count: index.readUInt32BE(8 + 255 * 4), fd, size: fstatSync(fd).size };
}

function find(packs: readonly Pack[], hash: string): { pack: Pack; at: number } | undefined {
  const id = Buffer.from(hash, "hex");
  for (const pack of packs) {
    const at = offsetOf(pack, id);
    if (at !== undefined) return { pack, at };
  }
  return undefined;
}

function readPacked(packs: readonly Pack[], hash: string, limit: number): ReadObject | undefined {
  const found = find(packs, hash);
  return found && readAt(found.pack, found.at, limit, 0);
}

/** The size of a blob in bytes; undefined for other objects, and for a delta, whose header has the delta's own size. */
function packedSize(packs: readonly Pack[], hash: string): number | undefined {
  const found = find(packs, hash);
  if (!found) return undefined;
  const { type, size } = headAt(found.pack, found.at);
  return type === BLOB ? size : undefined;
}

/** The offset of an object in a pack; undefined if it is missing, or beyond 2 GB. */
function offsetOf({ index, count }: Pack, id: Buffer): number | undefined {
  const first = id[0]!;
  let low = first === 0 ? 0 : index.readUInt32BE(8 + (first - 1) * 4);
  let high = index.readUInt32BE(8 + first * 4);
  const names = 8 + 256 * 4;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = index.compare(id, 0, 20, names + 20 * middle, names + 20 * middle + 20);
    if (order === 0) {
      const offset = index.readUInt32BE(names + 24 * count + 4 * middle);
      return offset < 0x80000000 ? offset : undefined;
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/**
 * Parses kind and length: seven bits per byte, lowest first, four in the first byte. `at` is the offset after them in
 * `start`.
 */
function headAt(pack: Pack, offset: number) {
  const start = bytesAt(pack, offset, HEAD);
  let at = 0;
  let byte = start[at++]!;
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte & 0x80; scale *= 128) {
    byte = start[at++]!;
    size += (byte & 0x7f) * scale;
  }
  return { type, size, start, at };
}

function readAt(pack: Pack, offset: number, limit: number, deltas: number): ReadObject | undefined {
  const { type, size, start, ...head } = headAt(pack, offset);
  if (size > limit) return undefined;
  const kind = KINDS[type];
  if (kind) return { type: kind, bytes: inflateAt(pack, offset + head.at, size) };
  if (type !== DELTA || deltas === MOST_DELTAS) return undefined;
  let { at } = head;
  let byte = start[at++]!;
  let back = byte & 0x7f;
  while (byte & 0x80) {
    byte = start[at++]!;
    back = (back + 1) * 128 + (byte & 0x7f);
  }
  const base = readAt(pack, offset - back, limit, deltas + 1);
  return (
    base && {
      type: base.type,
      bytes: patched(base.bytes, inflateAt(pack, offset + at, size), limit),
    }
  );
}

function bytesAt({ fd, size }: Pack, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - at)));
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, at));
}

/**
 * Inflates a packed object. An object that does not fit in a slightly larger buffer was not packed
 * by git.
 */
function inflateAt(pack: Pack, at: number, size: number): Buffer {
  const bytes = inflateSync(bytesAt(pack, at, size + Math.ceil(size / 1_000) + MORE), {
    maxOutputLength: Math.max(1, size),
  });
  if (bytes.length !== size) throw new RangeError("another length than it was said to have");
  return bytes;
}

/** Applies a delta to its base. Throws if it reaches outside of either, or if the result is longer than `limit`. */
function patched(base: Buffer, delta: Buffer, limit: number): Buffer {
  let at = 0;
  const next = () => {
    if (at >= delta.length) throw new RangeError("the delta ends early");
    return delta[at++]!;
  };
  const length = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = next();
      value += (byte & 0x7f) * scale;
      if (!(byte & 0x80)) return value;
    }
  };
  const [from, to] = [length(), length()];
  if (from !== base.length || to > limit) throw new RangeError("the delta is of something else");
  const result = Buffer.allocUnsafe(to);
  let filled = 0;
  const put = (bytes: Buffer, start: number, count: number) => {
    if (start + count > bytes.length || filled + count > to)
      throw new RangeError("the delta reaches out");
    filled += bytes.copy(result, filled, start, start + count);
  };
  while (at < delta.length) {
    const code = next();
    if (!(code & 0x80)) {
      if (code === 0) throw new RangeError("the delta has an unknown part");
      put(delta, at, code);
      at += code;
      continue;
    }
    let [start, count] = [0, 0];
    for (let bit = 0; bit < 4; bit++) if (code & (1 << bit)) start += next() * 2 ** (8 * bit);
    for (let bit = 0; bit < 3; bit++) if (code & (16 << bit)) count += next() * 2 ** (8 * bit);
    put(base, start, count === 0 ? 0x10000 : count);
  }
  if (filled !== to) throw new RangeError("the delta leaves something out");
  return result;
}

/** Reads an object that git stored in a separate file. */
function readLoose(gitDirectory: string, hash: string, limit: number): ReadObject | undefined {
  const file = join(gitDirectory, "objects", hash.slice(0, 2), hash.slice(2));
  if (!existsSync(file)) return undefined;
  const inflated = inflateSync(readFileSync(file), { maxOutputLength: limit + 64 });
  const end = inflated.indexOf(0);
  const type = /^(tree|blob) \d+$/.exec(inflated.toString("latin1", 0, end))?.[1];
  if (inflated.length - end - 1 > limit) return undefined;
  return type ? { type: type as "tree" | "blob", bytes: inflated.subarray(end + 1) } : undefined;
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
