import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

/** Bytes of a file that is sent over an API: it is held whole. */
const FILE_BYTES = 100 * 1024 * 1024;

/** A file of a site that is sent. */
export interface SiteFile {
  /** Below the site, with `/`, without one at its beginning. */
  path: string;
  size: number;
  /** Of its content, as hex. */
  sha1: string;
  read(): Promise<Buffer>;
}

/** The files of a site, and what is known of how its addresses are meant. */
export interface SiteFiles {
  files: SiteFile[];
  /** It has one page, which answers for every address that is no file. */
  isSingle: boolean;
  has(path: string): boolean;
}

/** @param folder absolute, of a release: it holds plain files alone @throws ApiFailure `too-large` */
export async function readSite(folder: string): Promise<SiteFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted();
  const files: SiteFile[] = [];
  for (const path of paths) {
    const read = () => readFile(join(folder, path));
    const bytes = await read();
    if (bytes.length > FILE_BYTES)
      throw new ApiFailure(
        413,
        "too-large",
        sentence("sent-file-too-large", { path, megabytes: 100 }),
      );
    files.push({ path, size: bytes.length, sha1: sha1(bytes), read });
  }
  const there = new Set(paths);
  const pages = paths.filter((path) => path.endsWith(".html"));
  return {
    files,
    isSingle: pages.length === 1 && pages[0] === "index.html",
    has: (path) => there.has(path),
  };
}

/** A file that is sent along and stands in no release: how a host is told what an address means. */
export function madeFile(path: string, text: string): SiteFile {
  const bytes = Buffer.from(text);
  return { path, size: bytes.length, sha1: sha1(bytes), read: async () => bytes };
}

const sha1 = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");
