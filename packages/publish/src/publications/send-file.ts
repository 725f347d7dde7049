import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { getMimeType } from "hono/utils/mime";

/** Up to so many bytes a file is told by what it holds, so that a browser keeps it over a release that has it unchanged. */
const HASHED_BYTES = 1024 * 1024;
/** Files whose tag is remembered. */
const TAGS = 10_000;

/** A file of a folder that nobody changes any more. */
interface Found {
  path: string;
  stats: Stats;
}

/** A file as it goes out, changed on its way. */
export interface Changed {
  /** Told apart from the file as it is. */
  tag: string;
  change(pieces: Readable): Readable;
}

/** Sends the files of one folder as they are read: what nobody takes is held by nobody, however large the file is. */
export interface SendFile {
  /**
   * @param name below the folder; of a folder its index.html is meant
   * @param changed asked for the type that it has; undefined: it goes out as it is
   * @returns undefined where there is no such file
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

/** Whether the browser has it as it is (RFC 9110, 13.2.2). */
function isKept(headers: Headers, tag: string, { mtimeMs }: Stats): boolean {
  const etag = headers.get("if-none-match");
  // On its way it may have been packed, which makes its tag a weak one.
  if (etag !== null)
    return etag.trim() === "*" || [...etag.matchAll(/"[^"]*"/g)].some(([one]) => one === tag);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return Math.floor(mtimeMs / 1_000) * 1_000 <= since;
}

/** The part that is asked for; undefined: all of it; `none`: there is no such part. */
function askedRange(
  headers: Headers,
  tag: string,
  { size, mtime }: Stats,
): { start: number; end: number } | "none" | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  // Several parts at once, or none that can be read: all of it may be sent as well.
  if (first === undefined || last === undefined || first + last === "") return undefined;
  const only = headers.get("if-range");
  if (only !== null && only !== tag && only !== mtime.toUTCString()) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? "none" : { start, end };
}
