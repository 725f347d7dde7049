import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { getMimeType } from "hono/utils/mime";

/**
 * Maximum size in bytes of a file whose tag is a hash of its content, so that browsers keep it
 * across releases.
 */
const HASHED_BYTES = 1024 * 1024;
/** Maximum number of cached tags. */
const TAGS = 10_000;

/** A file in a folder that no longer changes. */
interface Found {
  path: string;
  stats: Stats;
}

/** A file that is changed when it is sent. */
export interface Changed {
  /** Part of the tag, which distinguishes it from the unchanged file. */
  tag: string;
  change(pieces: Readable): Readable;
}

/** Streams the files of one folder at the client's pace, whatever their size. */
export interface SendFile {
  /**
   * The answer to a request for a file: its content, a requested range of it, 304 if the browser has it, or 416.
   * @param name relative to the folder; for a folder its index.html
   * @param changed called with the file's type; undefined: it is sent unchanged
   * @returns undefined if there is no such file
   */
  (
    name: string,
    request: Request,
    changed?: (type: string) => Changed | undefined,
  ): Promise<Response | undefined>;
}

export function createSendFile(folder: string): SendFile {
  const tags = new Map<string, string>();

  async function tagOf({ path, stats: { size, mtimeMs } }: Found): Promise<string> {
    const known = tags.get(path);
    if (known !== undefined) return known;
    const tag =
      size > HASHED_BYTES
        ? `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}`
        : createHash("sha1")
            .update(await readFile(path))
            .digest("hex");
    if (tags.size >= TAGS) tags.clear();
    tags.set(path, tag);
    return tag;
  }

  return async (name, request, changed) => {
    const found = await find(join(folder, name));
    if (!found) return undefined;
    const { path, stats } = found;
    const type = getMimeType(path) ?? "application/octet-stream";
    const change = changed?.(type);
    const tag = `"${await tagOf(found)}${change ? `-${change.tag}` : ""}"`;
    const headers = new Headers({
      "content-type": type,
      etag: tag,
      "last-modified": stats.mtime.toUTCString(),
    });
    if (isKept(request.headers, tag, stats)) return new Response(null, { status: 304, headers });
    const isHead = request.method === "HEAD";
    if (change) {
      const body = isHead ? null : change.change(createReadStream(path));
      return new Response(body && stream(body), { headers });
    }
    headers.set("accept-ranges", "bytes");
    const range = askedRange(request.headers, tag, stats);
    if (range === "none") {
      headers.set("content-range", `bytes */${stats.size}`);
      return new Response(null, { status: 416, headers });
    }
    const { start, end } = range ?? { start: 0, end: stats.size - 1 };
    headers.set("content-length", String(end - start + 1));
    if (range) headers.set("content-range", `bytes ${start}-${end}/${stats.size}`);
    const isEmpty = isHead || end < start;
    const body = isEmpty ? null : stream(createReadStream(path, { start, end }));
    return new Response(body, { status: range ? 206 : 200, headers });
  };
}

async function find(path: string): Promise<Found | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile()) return { path, stats };
  if (!stats?.isDirectory()) return undefined;
  const index = join(path, "index.html");
  const page = await stat(index).catch(() => undefined);
  return page?.isFile() ? { path: index, stats: page } : undefined;
}

const stream = (body: Readable) => Readable.toWeb(body) as ReadableStream<Uint8Array>;

/** Whether the browser has the current version (RFC 9110, 13.2.2). */
function isKept(headers: Headers, tag: string, { mtimeMs }: Stats): boolean {
  const etag = headers.get("if-none-match");
  // Compression on the way makes a tag a weak one, so the prefix `W/` is ignored.
  if (etag !== null)
    return etag.trim() === "*" || [...etag.matchAll(/"[^"]*"/g)].some(([one]) => one === tag);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return Math.floor(mtimeMs / 1_000) * 1_000 <= since;
}

/** The requested range; undefined: all of it; `none`: it cannot be satisfied. */
function askedRange(
  headers: Headers,
  tag: string,
  { size, mtime }: Stats,
): { start: number; end: number } | "none" | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  // For several ranges or an invalid one, the complete file is a valid answer.
  if (first === undefined || last === undefined || first + last === "") return undefined;
  const only = headers.get("if-range");
  if (only !== null && only !== tag && only !== mtime.toUTCString()) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? "none" : { start, end };
}
