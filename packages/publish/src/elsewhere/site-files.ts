import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

/** Maximum size of a file sent over an API, in bytes, because it is held in memory. */
const FILE_BYTES = 100 * 1024 * 1024;

/** A file of the site to send. */
export interface SiteFile {
  /** Relative to the site, with `/`. */
  path: string;
  size: number;
  /** The digest of its content, in hex. */
  sha1: string;
  read(): Promise<Buffer>;
}

/** The files of a site, and how its addresses are resolved. */
export interface SiteFiles {
  files: SiteFile[];
  /** Whether a single page answers every address that is not a file. */
  isSingle: boolean;
  has(path: string): boolean;
}

/**
 * Lists the files of a site with their digests.
 * @param folder absolute path of a release, which holds plain files only
 * @throws ApiFailure `too-large`
 */
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

/** A generated file that is not part of the release and tells the host how to resolve addresses. */
export function madeFile(path: string, text: string): SiteFile {
  const bytes = Buffer.from(text);
  return { path, size: bytes.length, sha1: sha1(bytes), read: async () => bytes };
}

const sha1 = (bytes: Uint8Array) => createHash("sha1").update(bytes).digest("hex");
