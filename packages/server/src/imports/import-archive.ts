import { createWriteStream } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { IMPORT_MARK } from "../project-context/drafts.ts";
import { unpackZip } from "@treadle/archives";

/** Maximum size of an archive, in bytes. */
export const ARCHIVE_BYTES = 512 * 1024 * 1024;

/** How an import creates a project and removes it. */
export interface ImportParts {
  create(name: string): Promise<string>;
  remove(project: string): Promise<void>;
  workspace(project: string): Promise<Workspace>;
  /** The project's folder beside its files, removed with it. */
  folder(project: string): string;
}

/**
 * Creates a project from a streamed ZIP. A rejected or interrupted import leaves nothing behind.
 * @throws ApiFailure that says what is wrong with the archive
 */
export async function importArchive(
  name: string,
  archive: AsyncIterable<Uint8Array>,
  { create, remove, workspace, folder }: ImportParts,
): Promise<{ id: string; files: number }> {
  const id = await create(name);
  try {
    const archiveFile = join(folder(id), "import.zip");
    await mkdir(folder(id), { recursive: true, mode: 0o700 });
    await writeFile(join(folder(id), IMPORT_MARK), "");
    await pipeline(limited(archive), createWriteStream(archiveFile, { flags: "wx", mode: 0o600 }));
    const files = await unpackZip(archiveFile, await workspace(id));
    await rm(archiveFile, { force: true });
    await rm(join(folder(id), IMPORT_MARK));
    return { id, files };
  } catch (error) {
    await remove(id);
    throw error;
  }
}

/** Passes the archive on until it exceeds the limit, whatever length was declared. @throws ApiFailure 413 */
async function* limited(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let taken = 0;
  for await (const piece of archive) {
    taken += piece.byteLength;
    if (taken > ARCHIVE_BYTES) throw archiveTooLarge();
    yield piece;
  }
}

const archiveTooLarge = () =>
  new ApiFailure(413, "too-large", sentence("too-large", { what: "archive", limit: "512 MB" }));
