import { sentence } from "@treadle/protocol/sentences";
import { createHash } from "node:crypto";
import { copyFileSync, lstatSync, renameSync, rmSync, type Stats } from "node:fs";
import { dirname, basename, join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { isSqliteFile } from "@treadle/protocol/project-path";
import { TEMPORARY_PREFIX } from "../ignored.ts";
import { WorkspaceError } from "../types.ts";
import type { Sources } from "../sources/sources.ts";
import { walk } from "./walk.ts";

/** Maximum size of the data copied into a layer, in bytes; copying more would take too long. */
const MAX_DATA_BYTES = 512 * 1024 * 1024;
/** Maximum number of attempts to copy a file that changes while it is copied. */
const TRIES = 5;
/**
 * Files that SQLite writes beside an open database: the log is part of the content, the index is
 * rebuilt.
 */
const LOG = "-wal";
const LOG_INDEX = "-shm";

/**
 * Gives a layer over a project its own copy of the app's data. Without it, the layer would show
 * every file that it has not written itself as the project below has it, later changes included.
 * @param more further data of the app, besides files recognised by name (SQLite's files and
 * `.data`)
 * @param original the project, if the layer is a copy that was made while others may have been
 * writing: data is then copied again from there
 * @throws WorkspaceError `too-large`, or `failed` for a file that keeps changing
 */
export function takeData(
  root: string,
  sources: Sources,
  more: readonly ProjectPath[],
  original = root,
): void {
  let bytes = 0;
  for (const path of dataFilesOf(root, sources, more)) {
    const file = join(original, path);
    const info = stat(file);
    if (!info?.isFile()) continue;
    bytes += info.size + (stat(file + LOG)?.size ?? 0);
    if (bytes > MAX_DATA_BYTES)
      throw new WorkspaceError(
        "too-large",
        sentence("app-data-too-large", { limit: MAX_DATA_BYTES / 1024 / 1024 }),
      );
    copyInto(join(root, path), file, isSqliteFile(path));
  }
}

/** Removes the app's data from a layer over a project, as if the app were new. */
export function removeData(root: string, sources: Sources, more: readonly ProjectPath[]): void {
  for (const path of dataFilesOf(root, sources, more))
    for (const end of isSqliteFile(path) ? ["", LOG, LOG_INDEX] : [""])
      rmSync(join(root, path) + end, { force: true });
}

/**
 * A digest of the data files' paths, inodes, sizes and modification times. It changes with every write, even one that
 * writes the same content.
 */
export function dataDigest(root: string, sources: Sources, more: readonly ProjectPath[]): string {
  const hash = createHash("sha1");
  for (const path of [...dataFilesOf(root, sources, more)].toSorted()) {
    const file = join(root, path);
    const parts = isSqliteFile(path) ? [file, file + LOG] : [file];
    hash.update(`${path}\0${parts.map((part) => describe(stat(part))).join(" ")}\n`);
  }
  return hash.digest("hex");
}

function dataFilesOf(root: string, sources: Sources, more: readonly ProjectPath[]): Set<string> {
  const files = new Set<string>(more);
  sources.refresh();
  for (const { path, entry, kind } of walk(root, sources))
    if (entry.isFile() && kind === "data") files.add(path);
  return files;
}

const stat = (file: string): Stats | undefined => lstatSync(file, { throwIfNoEntry: false });

/**
 * Replaces a file with a copy of another file, or of itself. A database and its log are copied in
 * the same state.
 */
function copyInto(file: string, from: string, isDatabase: boolean): void {
  const ends = isDatabase ? ["", LOG].filter((end) => stat(from + end)?.isFile()) : [""];
  const state = () => ends.map((end) => describe(stat(from + end))).join(" ");
  for (let tries = 1; ; tries++) {
    const before = state();
    for (const end of ends) copyFileSync(from + end, beside(file + end));
    if (state() === before) break;
    if (tries === TRIES)
      throw new WorkspaceError("failed", sentence("app-data-changes", { file: basename(file) }));
  }
  for (const end of ends) renameSync(beside(file + end), file + end);
  if (!isDatabase) return;
  if (!ends.includes(LOG)) rmSync(file + LOG, { force: true });
  rmSync(file + LOG_INDEX, { force: true });
}

const beside = (file: string) => join(dirname(file), `${TEMPORARY_PREFIX}-${basename(file)}`);

const describe = (info: Stats | undefined) =>
  info ? `${info.ino}:${info.size}:${info.mtimeMs}` : "gone";
