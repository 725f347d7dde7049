import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { ApiFailure } from "@treadle/common";
import { readingOf } from "./archive-names.ts";

/** What an archive may hold. */
export const IMPORTED_FILES = 20_000;
export const IMPORTED_BYTES = 1024 * 1024 * 1024;

/** One file of an archive, as its directory has it. */
export interface ZipEntry {
  name: string;
  /** Stored, or deflated. */
  method: 0 | 8;
  /** Bytes in the archive, and unpacked. */
  packed: number;
  size: number;
  crc: number;
  /** Where its own head begins. */
  at: number;
}

/** A directory of so many bytes belongs to an archive that is refused for its number of files. */
const DIRECTORY_BYTES = 32 * 1024 * 1024;
const END = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const HEAD = 0x04034b50;
const HEAD_BYTES = 30;
const LARGE = 0xffffffff;
const UNICODE_PATH = 0x7075;

/**
 * The files of a ZIP (APPNOTE 6.3), by the directory at its end, which alone says what is a link. Folders are left out.
 * @param size of the archive in bytes
 * @throws ApiFailure `bad-archive` that says what is wrong; nothing was unpacked
 */
export async function readZipDirectory(file: FileHandle, size: number): Promise<ZipEntry[]> {
  const tail = await bytesAt(file, Math.max(0, size - END_BYTES - COMMENT_BYTES), size);
  const end = findEnd(tail);
  if (end === undefined) throw refused("It is not a ZIP, or its end is missing.");
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const from = tail.readUInt32LE(end + 16);
  if (count === 0xffff || length === LARGE || from === LARGE)
    throw refused("It is a ZIP64, for more than 4 GB or 65,535 files, which cannot be imported.");
  if (count > IMPORTED_FILES || length > DIRECTORY_BYTES) throw tooMany();
  if (from + length > size) throw refused("Its list of files is cut off.");
  const directory = await bytesAt(file, from, from + length);
  const places: number[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY)
      throw refused("Its list of files is damaged.");
    const next = at + ENTRY_BYTES + lengthsAt(directory, at + 28, 3);
    if (next > directory.length) throw refused("Its list of files is damaged.");
    places.push(at);
    at = next;
  }
  const names = namesOf(places.map((place) => rawNameAt(directory, place)));
  const entries = places.flatMap(
    (place, index) => readEntry(directory, place, names[index]!) ?? [],
  );
  checkSums(entries, size);
  return entries;
}

/** Where an entry's bytes begin: behind its own head, whose lengths may be others than the directory's. */
export async function dataOf(file: FileHandle, { at, name }: ZipEntry): Promise<number> {
  const head = await bytesAt(file, at, at + HEAD_BYTES);
  if (head.length < HEAD_BYTES || head.readUInt32LE(0) !== HEAD)
    throw refused(`${shown(name)} is not where its list of files says.`);
  return at + HEAD_BYTES + lengthsAt(head, 26, 2);
}

function readEntry(directory: Buffer, at: number, name: string): ZipEntry | undefined {
  const flags = directory.readUInt16LE(at + 8);
  const method = directory.readUInt16LE(at + 10);
  const isUnix = directory.readUInt8(at + 5) === 3;
  const kind = isUnix ? (directory.readUInt32LE(at + 38) >>> 28) & 0xf : 0;
  if (kind === 0xa) throw refused(`${shown(name)} is a link, which could lead out of the project.`);
  if (kind !== 0 && kind !== 4 && kind !== 8) throw refused(`${shown(name)} is not a plain file.`);
  if (name.endsWith("/")) return undefined;
  if (flags & 1) throw refused(`${shown(name)} is encrypted.`);
  if (method !== 0 && method !== 8)
    throw refused(`${shown(name)} is compressed in a way that cannot be read here (${method}).`);
  const packed = directory.readUInt32LE(at + 20);
  const size = directory.readUInt32LE(at + 24);
  const offset = directory.readUInt32LE(at + 42);
  if (packed === LARGE || size === LARGE || offset === LARGE) throw tooLarge();
  return { name, method, packed, size, crc: directory.readUInt32LE(at + 16), at: offset };
}

/** What it says of itself; each entry is held to it as it is unpacked. */
function checkSums(entries: readonly ZipEntry[], size: number): void {
  let packed = 0;
  let unpacked = 0;
  for (const entry of entries) {
    packed += entry.packed + HEAD_BYTES;
    unpacked += entry.size;
  }
  if (unpacked > IMPORTED_BYTES) throw tooLarge();
  // The same bytes unpacked many times are a bomb.
  if (packed > size) throw refused("Its files overlap.");
}

function findEnd(tail: Buffer): number | undefined {
  for (let at = tail.length - END_BYTES; at >= 0; at--)
    if (
      tail.readUInt32LE(at) === END &&
      at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length
    )
      return at;
  return undefined;
}

/** A name as the archive has it. */
interface RawName {
  bytes: Buffer;
  /** The same in UTF-8, where the archive has that as well. */
  unicode: Buffer | undefined;
}

function rawNameAt(directory: Buffer, at: number): RawName {
  const start = at + ENTRY_BYTES;
  const end = start + directory.readUInt16LE(at + 28);
  const bytes = directory.subarray(start, end);
  const extra = directory.subarray(end, end + directory.readUInt16LE(at + 30));
  return { bytes, unicode: unicodePath(extra, bytes) };
}

/** Info-ZIP's field with a name in UTF-8 (APPNOTE 4.6.9), if it is of this name. */
function unicodePath(extra: Buffer, name: Buffer): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length;) {
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    const isUnicode = extra.readUInt16LE(at) === UNICODE_PATH && field.length > 5 && field[0] === 1;
    if (isUnicode && field.readUInt32LE(1) === crc32(name)) return field.subarray(5);
    at += 4 + extra.readUInt16LE(at + 2);
  }
  return undefined;
}

/**
 * Names as text. They are UTF-8, whether they say so or not, or all of the others are in one other encoding.
 * @throws ApiFailure where it cannot be told which
 */
function namesOf(raw: readonly RawName[]): string[] {
  const known = raw.map(({ bytes, unicode }) => (unicode && utf8Of(unicode)) ?? utf8Of(bytes));
  const others = raw.flatMap(({ bytes }, index) => (known[index] === undefined ? [bytes] : []));
  const reading = others.length > 0 ? readingOf(others) : undefined;
  if (reading && "either" in reading) {
    const readings = reading.either.map(({ label, example }) => `${shown(example)} in ${label}`);
    throw refused(
      `It does not say in which encoding the names of its files are: one would be ${readings.join(" or ")}. Pack it again with names in UTF-8.`,
    );
  }
  // A character's second byte may be that of a backslash: it is looked for in the text.
  return raw.map(({ bytes }, index) =>
    (known[index] ?? reading!.decode(bytes)).replaceAll("\\", "/"),
  );
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function lengthsAt(bytes: Buffer, at: number, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += bytes.readUInt16LE(at + index * 2);
  return sum;
}

async function bytesAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, to - from));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  return bytes.subarray(0, bytesRead);
}

const shown = (name: string) => JSON.stringify(name.slice(0, 200));

/** An archive that is not taken. Nothing of it is left. */
export const refused = (why: string) =>
  new ApiFailure(
    400,
    "bad-archive",
    `The archive was not imported. ${why} Nothing was kept of it.`,
  );
const tooMany = () =>
  new ApiFailure(
    413,
    "too-many-files",
    `The archive has more than ${IMPORTED_FILES.toLocaleString("en")} files, the limit. Nothing was kept of it. Leave out what is installed or built, such as node_modules.`,
  );
const tooLarge = () =>
  new ApiFailure(
    413,
    "too-large",
    "Unpacked, the archive has more than 1 GB, the limit. Nothing was kept of it.",
  );
