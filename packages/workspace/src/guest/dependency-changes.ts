import { lstat, readdir } from "node:fs/promises";
import type { ProjectPath } from "@treadle/protocol";
import { packageOf } from "../package-managers/package-of.ts";
import { fromDisk } from "../paths.ts";
import type { Sources } from "../sources/sources.ts";
import type { Params, Result } from "../wire/requests.ts";
import { isWithinDepth, walk } from "./walk.ts";

const MODULES = "node_modules";
/** Changes that are told; more of them say nothing new. */
const CHANGES_LIMIT = 500;
/** Entries that are looked at: more would take longer than the look that they are for. */
const ENTRIES_LIMIT = 400_000;
/** Files that are asked about at once. */
const TOGETHER = 64;

/**
 * Files of installed packages that were written since a time, and those of `kept` that stand as they stood then. Caches that
 * tools keep beside the packages (`node_modules/.vite`) are none. The time of change counts, which no program can set.
 * @param params.since milliseconds since 1970
 */
export async function dependencyChanges(
  root: string,
  sources: Sources,
  { since, kept }: Params<"dependency-changes">,
): Promise<Result<"dependency-changes">> {
  const changed = new Map<ProjectPath, number>();
  for (const { path, at } of kept) {
    const found = await changeOf(`${root}/${path}`);
    if (found === at) changed.set(path, at);
  }
  let left = ENTRIES_LIMIT;

  async function look(folder: string, isPackage: boolean): Promise<void> {
    const entries = await readdir(`${root}/${folder}`, { withFileTypes: true }).catch(() => []);
    const files: string[] = [];
    for (const entry of entries) {
      if (left-- <= 0 || changed.size >= CHANGES_LIMIT) return;
      const path = `${folder}/${entry.name}`;
      if (!isWithinDepth(path)) continue;
      if (entry.isDirectory()) await look(path, isPackage || packageOf(path) !== undefined);
      else if (packageOf(path) !== undefined) files.push(path);
    }
    for (let from = 0; from < files.length; from += TOGETHER)
      await Promise.all(
        files.slice(from, from + TOGETHER).map(async (path) => {
          const at = await changeOf(`${root}/${path}`);
          if (at !== undefined && at > since) changed.set(fromDisk(path), at);
        }),
      );
  }

  const folders = [""];
  for (const { path, entry } of walk(root, sources)) if (entry.isDirectory()) folders.push(path);
  for (const folder of folders) {
    const modules = folder === "" ? MODULES : `${folder}/${MODULES}`;
    const found = await lstat(`${root}/${modules}`).catch(() => undefined);
    if (found?.isDirectory()) await look(modules, false);
  }
  const all = [...changed].slice(0, CHANGES_LIMIT).map(([path, at]) => ({ path, at }));
  return { now: Date.now(), changed: all };
}

/** Whole milliseconds; undefined where nothing is. */
const changeOf = async (path: string): Promise<number | undefined> => {
  const found = await lstat(path).catch(() => undefined);
  return found && Math.floor(found.ctimeMs);
};
