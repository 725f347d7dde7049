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
/** Walks until what the sources bring in is found: each may bring in more. */
const ROUNDS = 8;

/** The project's files as `Workspace.files.list` shows them. */
export function listFiles(
  root: string,
  sources: Sources,
  { under = PROJECT_FOLDER, limit = DEFAULT_LIMIT, only }: Params<"list">,
): Result<"list"> {
  refuseLinks(root, under);
  // What one folder holds may be brought in from another.
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
    // A part of the project does not say what the whole brings in.
    const isSettled = more || under !== PROJECT_FOLDER || !sources.bringIn(notes.doubtful, stamps);
    const leftOut = [...notes.leftOut].map(([path, why]) => ({ path: fromDisk(path), why }));
    return { result: { files, more, leftOut }, isSettled };
  }
}

/** Finds out what the project's sources bring in as they are now. */
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
