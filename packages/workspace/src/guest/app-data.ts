import { createHash } from "node:crypto";
import { copyFileSync, lstatSync, renameSync, rmSync, type Stats } from "node:fs";
import { dirname, basename, join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { isSqliteFile } from "@treadle/protocol/project-path";
import { TEMPORARY_PREFIX } from "../ignored.ts";
import { WorkspaceError } from "../types.ts";
import type { Sources } from "../sources/sources.ts";
import { walk } from "./walk.ts";

/** Bytes of data that are copied for one look; copying more would take longer than the look. */
const MAX_DATA_BYTES = 512 * 1024 * 1024;
/** A file that changes while it is copied is copied again, this often at most. */
const TRIES = 5;
/** What SQLite keeps beside a database that is open: the log belongs to the content, the index of it is made anew. */
const LOG = "-wal";
const LOG_INDEX = "-shm";

/**
 * Gives a layer over a project its own copy of the app's data, so that neither sees what the other writes from then on:
 * a layer shows a file of the project below it until somebody writes to that file in the layer.
 * @param more data of the app beside what is data by its name (SQLite's files and `.data`)
 * @param original the project, where the layer is a copy that was made while others may have written: what is data is copied
 * anew from there
 * @throws WorkspaceError `too-large`, or `failed` for a file that never rests
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
        `the app's data is larger than ${MAX_DATA_BYTES / 1024 / 1024} MB`,
      );
    copyInto(join(root, path), file, isSqliteFile(path));
  }
}

/** Removes the app's data from a layer over a project, as a new app has none. */
export function removeData(root: string, sources: Sources, more: readonly ProjectPath[]): void {
  for (const path of dataFilesOf(root, sources, more))
    for (const end of isSqliteFile(path) ? ["", LOG, LOG_INDEX] : [""])
      rmSync(join(root, path) + end, { force: true });
}

/**
 * A digest of which data there is and when each file of it was written last. It changes with every write to one of them,
 * also with one that writes what was there before.
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

/** Replaces a file by a copy of another, or of itself. A database and its log are copied as they were at one moment. */
function copyInto(file: string, from: string, isDatabase: boolean): void {
  const ends = isDatabase ? ["", LOG].filter((end) => stat(from + end)?.isFile()) : [""];
  const state = () => ends.map((end) => describe(stat(from + end))).join(" ");
  for (let tries = 1; ; tries++) {
    const before = state();
    for (const end of ends) copyFileSync(from + end, beside(file + end));
    if (state() === before) break;
    if (tries === TRIES)
      throw new WorkspaceError("failed", `${basename(file)} changes faster than it can be copied`);
  }
  for (const end of ends) renameSync(beside(file + end), file + end);
  if (!isDatabase) return;
  if (!ends.includes(LOG)) rmSync(file + LOG, { force: true });
  rmSync(file + LOG_INDEX, { force: true });
}

const beside = (file: string) => join(dirname(file), `${TEMPORARY_PREFIX}-${basename(file)}`);

const describe = (info: Stats | undefined) =>
  info ? `${info.ino}:${info.size}:${info.mtimeMs}` : "gone";
