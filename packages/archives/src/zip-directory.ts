import { crc32 } from "node:zlib";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { readingOf } from "./archive-names.ts";

/** What an archive may hold. */
export const IMPORTED_FILES = 20_000;
export const IMPORTED_BYTES = 1024 * 1024 * 1024;

/** One file of an archive. */
export interface ZipEntry {
  name: string;
  entry: Entry;
}

/** Names, extra fields and comments of a directory, together. Such a directory is refused for its number of files. */
const DIRECTORY_BYTES = 32 * 1024 * 1024;
/** Bytes before each file's data. */
const HEAD_BYTES = 30;
/** Info-ZIP's field with a name in UTF-8 (APPNOTE 4.6.9). */
const UNICODE_PATH = 0x7075;

/**
 * Opens a ZIP. The caller closes it.
 * @param archive a file's absolute path
 * @throws ApiFailure `bad-archive` if it is none
 */
export async function openZip(archive: string): Promise<ZipFile> {
  try {
    // Names stay bytes: archives that do not say their encoding have others than the two that the format knows.
    return await openPromise(archive, { autoClose: false, decodeStrings: false });
  } catch (error) {
    if (isOfSystem(error)) throw error;
    throw refused("It is not a ZIP, or its end is missing.");
  }
}

/**
 * The files of a ZIP, by the directory at its end, which alone says what is a link. Folders are left out.
 * @param size of the archive in bytes
 * @throws ApiFailure `bad-archive` that says what is wrong; nothing was unpacked
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

/** Whether an error is of the machine and not of the archive's content. */
export const isOfSystem = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).syscall !== undefined;

/** @returns false for a folder. @throws ApiFailure for what is neither a folder nor a file that can be read */
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

/** Limits by the sizes that the directory claims; each entry is held to its own as it is unpacked. */
function checkSums(files: readonly ZipEntry[], size: number): void {
  let packed = 0;
  let unpacked = 0;
  for (const { entry } of files) {
    packed += entry.compressedSize + HEAD_BYTES;
    unpacked += entry.uncompressedSize;
  }
  if (unpacked > IMPORTED_BYTES) throw tooLarge();
  // The same bytes unpacked many times are a bomb.
  if (packed > size) throw refused("Its files overlap.");
}

/** An entry's name in UTF-8, if the archive has it as well, and for this name. */
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
 * Names as text. They are UTF-8, whether they say so or not, or all of the others are in one other encoding.
 * @throws ApiFailure where it cannot be told which
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
  // A character's second byte may be that of a backslash: it is looked for in the text.
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

/** An archive that is not taken. Nothing of it is left. */
export const refused = (why: string) =>
  new ApiFailure(400, "bad-archive", sentence("archive-invalid", { why }));
const tooMany = () =>
  new ApiFailure(413, "too-many-files", sentence("too-many-files", { limit: IMPORTED_FILES }));
const tooLarge = () =>
  new ApiFailure(413, "too-large", sentence("too-large", { what: "unpacked", limit: "1 GB" }));
