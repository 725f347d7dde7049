import { crc32 } from "node:zlib";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { readingOf } from "./archive-names.ts";

/** Maximum number of files in an archive. */
export const IMPORTED_FILES = 20_000;
export const IMPORTED_BYTES = 1024 * 1024 * 1024;

/** One file of an archive. */
export interface ZipEntry {
  name: string;
  entry: Entry;
}

/**
 * Maximum size of names, extra fields and comments together. A larger directory is refused as
 * having too many files.
 */
const DIRECTORY_BYTES = 32 * 1024 * 1024;
/** Bytes before each file's data. */
const HEAD_BYTES = 30;
/** Info-ZIP's field with a name in UTF-8 (APPNOTE 4.6.9). */
const UNICODE_PATH = 0x7075;

/**
 * Opens a ZIP. The caller closes it.
 * @param archive a file's absolute path
 * @throws ApiFailure `bad-archive` if it is invalid
 */
export async function openZip(archive: string): Promise<ZipFile> {
  try {
    // Names stay bytes: archives without a declared encoding use others than the two that the
    // format knows.
    return await openPromise(archive, { autoClose: false, decodeStrings: false });
  } catch (error) {
    if (isOfSystem(error)) throw error;
    throw refused("It is not a ZIP, or its end is missing.");
  }
}

/**
 * The files of a ZIP, according to the directory at its end, which also identifies links. Leaves
 * out folders.
 * @param size of the archive in bytes
 * @throws ApiFailure `bad-archive` that explains the problem; nothing was unpacked
 */
export async function readZipDirectory(zip: ZipFile, size: number): Promise<ZipEntry[]> {
  if (zip.entryCount > IMPORTED_FILES) throw tooMany();
  const entries: Entry[] = [];
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (bytes > DIRECTORY_BYTES) throw tooMany();
      entries.push(entry);
    }
  } catch (error) {
    if (isOfSystem(error) || error instanceof ApiFailure) throw error;
    throw refused("Its list of files is damaged.");
  }
  const names = namesOf(entries);
  const files = entries.flatMap((entry, index) => {
    const name = names[index]!;
    return isFile(entry, name) ? { name, entry } : [];
  });
  checkSums(files, size);
  return files;
}

/** Whether an error comes from the machine and not from the archive. */
export const isOfSystem = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).syscall !== undefined;

/**
 * @returns false for a folder.
 * @throws ApiFailure for anything else than a folder or a readable file
 */
function isFile(entry: Entry, name: string): boolean {
  const isUnix = entry.versionMadeBy >>> 8 === 3;
  const kind = isUnix ? (entry.externalFileAttributes >>> 28) & 0xf : 0;
  if (kind === 0xa) throw refused(`${shown(name)} is a link, which could lead out of the project.`);
  if (kind !== 0 && kind !== 4 && kind !== 8) throw refused(`${shown(name)} is not a plain file.`);
  if (name.endsWith("/")) return false;
  if (entry.isEncrypted()) throw refused(`${shown(name)} is encrypted.`);
  if (!entry.canDecodeFileData())
    throw refused(
      `${shown(name)} is compressed in a way that cannot be read here (${entry.compressionMethod}).`,
    );
  return true;
}

/** Checks declared sizes; unpacking also limits each entry to its own. */
function checkSums(files: readonly ZipEntry[], size: number): void {
  let packed = 0;
  let unpacked = 0;
  for (const { entry } of files) {
    packed += entry.compressedSize + HEAD_BYTES;
    unpacked += entry.uncompressedSize;
  }
  if (unpacked > IMPORTED_BYTES) throw tooLarge();
  // The same data unpacked many times is a bomb.
  if (packed > size) throw refused("Its files overlap.");
}

/** An entry's additional UTF-8 name, if it is for this name. */
function unicodePath({ extraFields, fileNameRaw }: Entry): Buffer | undefined {
  return extraFields
    .find(
      ({ id, data }) =>
        id === UNICODE_PATH &&
        data.length > 5 &&
        data[0] === 1 &&
        data.readUInt32LE(1) === crc32(fileNameRaw),
    )
    ?.data.subarray(5);
}

/**
 * Names as text: UTF-8, declared or not; all others in one other encoding.
 * @throws ApiFailure if that is ambiguous
 */
function namesOf(entries: readonly Entry[]): string[] {
  const known = entries.map((entry) => {
    const unicode = unicodePath(entry);
    return (unicode && utf8Of(unicode)) ?? utf8Of(entry.fileNameRaw);
  });
  const others = entries.flatMap(({ fileNameRaw }, index) =>
    known[index] === undefined ? [fileNameRaw] : [],
  );
  const reading = others.length > 0 ? readingOf(others) : undefined;
  if (reading && "either" in reading) {
    const readings = reading.either.map(({ label, example }) => `${shown(example)} in ${label}`);
    throw refused(
      `It does not say in which encoding the names of its files are: one would be ${readings.join(" or ")}. Pack it again with names in UTF-8.`,
    );
  }
  // A character's second byte may be a backslash: search for it in the decoded text.
  return entries.map(({ fileNameRaw }, index) =>
    (known[index] ?? reading!.decode(fileNameRaw)).replaceAll("\\", "/"),
  );
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const shown = (name: string) => JSON.stringify(name.slice(0, 200));

/** The error for a refused archive. Nothing of it is left. */
export const refused = (why: string) =>
  new ApiFailure(400, "bad-archive", sentence("archive-invalid", { why }));
const tooMany = () =>
  new ApiFailure(413, "too-many-files", sentence("too-many-files", { limit: IMPORTED_FILES }));
const tooLarge = () =>
  new ApiFailure(413, "too-large", sentence("too-large", { what: "unpacked", limit: "1 GB" }));
