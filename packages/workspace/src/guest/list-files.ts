import { lstatSync } from "node:fs";
import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { Params, Result } from "../wire/requests.ts";
import { stampOf } from "./source-reader.ts";
import { refuseLinks } from "./open-folder.ts";
import type { Sources } from "../sources/sources.ts";
import { createNotes, walk } from "./walk.ts";
import { isNamed } from "../named-files.ts";
import { fromDisk } from "../paths.ts";

const DEFAULT_LIMIT = 20_000;
/** Maximum number of walks to find everything that sources import: each import may add more. */
const ROUNDS = 8;

/** The project's files as returned by `Workspace.files.list`. */
export function listFiles(
  root: string,
  sources: Sources,
  { under = PROJECT_FOLDER, limit = DEFAULT_LIMIT, only }: Params<"list">,
): Result<"list"> {
  refuseLinks(root, under);
  // A file outside the listed folder may import files inside it.
  if (under !== PROJECT_FOLDER) surveySources(root, sources);
  let found: Result<"list"> = { files: [], more: false, leftOut: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const { result, isSettled } = listOnce();
    found = result;
    if (isSettled) break;
  }
  return found;

  function listOnce(): { result: Result<"list">; isSettled: boolean } {
    const files: Result<"list">["files"] = [];
    const stamps: { path: string; stamp: string }[] = [];
    const notes = createNotes();
    let more = false;
    sources.refresh();
    for (const { path, entry } of walk(root, sources, { under, notes })) {
      const isWanted = !only || (!entry.isDirectory() && isNamed(only, path));
      if (isWanted && files.length === limit) {
        more = true;
        break;
      }
      const kind = entry.isFile()
        ? "file"
        : entry.isDirectory()
          ? "folder"
          : entry.isSymbolicLink()
            ? "link"
            : "other";
      const stat =
        kind === "file" ? lstatSync(`${root}/${path}`, { throwIfNoEntry: false }) : undefined;
      if (stat) stamps.push({ path, stamp: stampOf(stat) });
      if (isWanted) files.push({ path, kind, size: stat?.size ?? 0 });
    }
    // A walk of a single folder cannot determine the imports of the whole project.
    const isSettled = more || under !== PROJECT_FOLDER || !sources.bringIn(notes.doubtful, stamps);
    const leftOut = [...notes.leftOut].map(([path, why]) => ({ path: fromDisk(path), why }));
    return { result: { files, more, leftOut }, isSettled };
  }
}

/** Determines which files the project's sources import now. */
export function surveySources(root: string, sources: Sources): void {
  for (let round = 0; round < ROUNDS; round++) {
    const notes = createNotes();
    sources.refresh();
    const paths: string[] = [];
    for (const { path, entry } of walk(root, sources, { notes }))
      if (entry.isFile()) paths.push(path);
    if (notes.doubtful.size === 0) return void sources.bringIn(notes.doubtful, []);
    const stamps = paths.flatMap((path) => {
      const stat = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
      return stat ? [{ path, stamp: stampOf(stat) }] : [];
    });
    if (!sources.bringIn(notes.doubtful, stamps)) return;
  }
}
