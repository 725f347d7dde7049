import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type { ProjectPath } from "@treadle/protocol";
import { checkPath, leadsThroughForeign, type Workspace } from "@treadle/workspace";
import { chooseFiles, decidingBytes } from "@treadle/workspace/sources";
import { FILES_AT_ONCE, someAtOnce } from "@treadle/common";
import type { ZipFile } from "yauzl";
import { isOfSystem, openZip, readZipDirectory, refused, type ZipEntry } from "./zip-directory.ts";

/** Added by macOS, not part of the content. */
const PACKED_BY_SYSTEM = "__MACOSX/";
/** Maximum total size of texts that are parsed for imports, in bytes. */
const TEXTS_BYTES = 64 * 1024 * 1024;

/** Maximum size of a file that is written in one request, in bytes. */
const WHOLE = 256 * 1024;

/**
 * Writes the files of an archive into a project, several at once, each limited to its declared size
 * and checksum. Removes an enclosing folder, as in archives of repositories.
 * @param archive a file that nobody else writes to
 * @returns the number of written files
 * @throws ApiFailure, or as the workspace; the caller has to remove what was written
 */
export async function unpackZip(archive: string, { files }: Workspace): Promise<number> {
  const zip = await openZip(archive);
  try {
    const entries = await readZipDirectory(zip, (await stat(archive)).size);
    const placed = await places(zip, entries);
    if (placed.size === 0) throw refused("It holds no file.");
    await someAtOnce(placed, FILES_AT_ONCE, async ([path, file]) => {
      const content = contentOf(zip, file);
      const options = { ifVersion: "absent" };
      if (file.entry.uncompressedSize > WHOLE) await files.writeStream(path, content, options);
      else await files.write(path, await wholeOf(content), options);
    });
    return placed.size;
  } finally {
    zip.close();
  }
}

const wholeOf = async (pieces: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Readable.from(pieces).toArray());

/**
 * The path of each file.
 * @throws ApiFailure, WorkspaceError `path` for an invalid path
 */
async function places(
  zip: ZipFile,
  entries: readonly ZipEntry[],
): Promise<Map<ProjectPath, ZipEntry>> {
  // Includes files that are left out: an archive with such a name is not trusted at all.
  for (const { name } of entries)
    if (isOutside(name))
      throw refused(`${JSON.stringify(name.slice(0, 200))} leads out of the project.`);
  const packed = entries.filter(({ name }) => !name.startsWith(PACKED_BY_SYSTEM));
  const [first = ""] = packed.map(({ name }) => name.slice(0, name.indexOf("/") + 1));
  const isWithin =
    first !== "" &&
    !leadsThroughForeign(first.slice(0, -1)) &&
    packed.every(({ name }) => name.startsWith(first));
  const given = packed.map((file) => ({
    file,
    path: isWithin ? file.name.slice(first.length) : file.name,
  }));
  const texts = await readDeciding(zip, given);
  const chosen = chooseFiles(
    given.map(({ path }) => path),
    {
      read: (path, limit) => texts.get(path)?.subarray(0, limit),
      stamp: (path) => (texts.has(path) ? "1" : undefined),
    },
  );
  const placed = new Map<ProjectPath, ZipEntry>();
  for (const { file, path } of given) {
    if (!chosen.has(path)) continue;
    const checked = checkPath(path);
    if (placed.has(checked)) throw refused(`${JSON.stringify(checked)} is in it twice.`);
    placed.set(checked, file);
  }
  return placed;
}

/**
 * Reads the files that decide which others are taken: git's rules and index, and texts with
 * imports.
 */
async function readDeciding(
  zip: ZipFile,
  given: readonly { file: ZipEntry; path: string }[],
): Promise<Map<string, Buffer>> {
  const texts = new Map<string, Buffer>();
  const hasRules = given.some(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  let left = TEXTS_BYTES;
  for (const { file, path } of given) {
    const limit = hasRules ? decidingBytes(path) : 0;
    const size = file.entry.uncompressedSize;
    if (size > limit || size > left) continue;
    left -= size;
    texts.set(path, await wholeOf(contentOf(zip, file)));
  }
  return texts;
}

const isOutside = (name: string) =>
  name.startsWith("/") || /^[A-Za-z]:/.test(name) || name.split("/").includes("..");

/**
 * The file's bytes.
 * @throws ApiFailure if they do not match the directory's entry
 */
async function* contentOf(zip: ZipFile, { name, entry }: ZipEntry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    const unpacked = await zip.openReadStreamPromise(entry);
    for await (const piece of unpacked as AsyncIterable<Uint8Array>) {
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    throw isOfSystem(error) ? error : damaged(name);
  }
  if (sum !== entry.crc32) throw damaged(name);
}

const damaged = (name: string) =>
  refused(`${JSON.stringify(name.slice(0, 200))} is not what its list of files says of it.`);
