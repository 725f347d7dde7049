import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { PassThrough, Readable, type Transform } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import type { ProjectPath } from "@treadle/protocol";
import { checkPath, type Workspace } from "@treadle/workspace";
import { FILES_AT_ONCE, someAtOnce } from "../common/some-at-once.ts";
import { dataOf, readZipDirectory, refused, type ZipEntry } from "./zip-directory.ts";

/** What nobody means when a project is given: it is made anew, or belongs to the system that packed it. */
const LEFT_OUT = /(^|\/)(node_modules|\.git|__MACOSX|\.DS_Store|Thumbs\.db)(\/|$)/;

/** Bytes of a file that is written by one request, and held for it. */
const WHOLE = 256 * 1024;

/**
 * Writes the files of an archive into a project, some at a time, each held to the size and checksum that it claims.
 * A folder that holds all of them is taken off, as archives of repositories have one.
 * @param archive a file that nobody else writes
 * @returns how many files were written
 * @throws ApiFailure, or as the workspace does; what was written until then is left for the caller to remove
 */
export async function unpackZip(archive: string, { files }: Workspace): Promise<number> {
  const handle = await open(archive, "r");
  try {
    const entries = await readZipDirectory(handle, (await stat(archive)).size);
    const placed = places(entries);
    if (placed.size === 0) throw refused("It holds no file.");
    await someAtOnce(placed, FILES_AT_ONCE, async ([path, entry]) => {
      const content = contentOf(archive, entry, await dataOf(handle, entry));
      const options = { ifVersion: "absent" };
      if (entry.size > WHOLE) await files.writeStream(path, content, options);
      else await files.write(path, await wholeOf(content), options);
    });
    return placed.size;
  } finally {
    await handle.close();
  }
}

const wholeOf = async (pieces: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Readable.from(pieces).toArray());

/** Where each file goes. @throws ApiFailure, WorkspaceError `path` where one would go elsewhere */
function places(entries: readonly ZipEntry[]): Map<ProjectPath, ZipEntry> {
  // Also of what is left out: such an archive is not to be trusted in anything.
  for (const { name } of entries)
    if (isOutside(name))
      throw refused(`${JSON.stringify(name.slice(0, 200))} leads out of the project.`);
  const kept = entries.filter(({ name }) => !LEFT_OUT.test(name));
  const [first = ""] = kept.map(({ name }) => name.slice(0, name.indexOf("/") + 1));
  const within = first !== "" && kept.every(({ name }) => name.startsWith(first)) ? first : "";
  const placed = new Map<ProjectPath, ZipEntry>();
  for (const entry of kept) {
    const path = checkPath(entry.name.slice(within.length));
    if (placed.has(path)) throw refused(`${JSON.stringify(path)} is in it twice.`);
    placed.set(path, entry);
  }
  return placed;
}

const isOutside = (name: string) =>
  name.startsWith("/") || /^[A-Za-z]:/.test(name) || name.split("/").includes("..");

/** @throws ApiFailure where it is not what the directory said of it */
async function* contentOf(
  archive: string,
  { name, method, packed, size, crc }: ZipEntry,
  from: number,
): AsyncGenerator<Uint8Array> {
  if (packed === 0 && size === 0) return;
  const stop = new AbortController();
  const unpacked: Transform = method === 8 ? createInflateRaw() : new PassThrough();
  const source = createReadStream(archive, { start: from, end: from + Math.max(0, packed - 1) });
  const flowing = pipeline(source, unpacked, { signal: stop.signal });
  flowing.catch(() => undefined);
  let count = 0;
  let sum = 0;
  try {
    for await (const piece of unpacked as AsyncIterable<Uint8Array>) {
      count += piece.byteLength;
      if (count > size) throw damaged(name);
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    throw /^Z_|ERR_STREAM/.test((error as NodeJS.ErrnoException).code ?? "")
      ? damaged(name)
      : error;
  } finally {
    stop.abort();
  }
  if (count !== size || sum !== crc) throw damaged(name);
}

const damaged = (name: string) =>
  refused(`${JSON.stringify(name.slice(0, 200))} is not what its list of files says of it.`);
