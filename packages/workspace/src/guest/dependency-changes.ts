import { lstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { ProjectPath } from "@treadle/protocol";
import { packageOf } from "../package-managers/package-of.ts";
import { fromDisk } from "../paths.ts";
import type { Sources } from "../sources/sources.ts";
import type { Params, Result } from "../wire/requests.ts";
import { isWithinDepth, readableEntries, walk } from "./walk.ts";

const MODULES = "node_modules";
/** Changes that are told; more of them say nothing new. */
const CHANGES_LIMIT = 500;
/** Entries that are looked at: more would take longer than the look that they are for. */
const ENTRIES_LIMIT = 400_000;
/** Entries that are looked at before others get their turn. */
const TOGETHER = 500;

/**
 * Files of installed packages that were written since a time, and those of `kept` that stand as they stood then. Caches that
 * tools keep beside the packages (`node_modules/.vite`) are none. The time of change counts, which no program can set.
 * @param params.since milliseconds since 1970; absent: only those of `kept` are looked at
 */
export async function dependencyChanges(
  root: string,
  sources: Sources,
  { since, kept: known }: Params<"dependency-changes">,
): Promise<Result<"dependency-changes">> {
  const changed = new Map<ProjectPath, number>();
  for (const { path, at } of known) if (changeOf(`${root}/${path}`) === at) changed.set(path, at);
  if (since !== undefined) {
    const folders = modulesOf(root, sources);
    let looked = 0;
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of readableEntries(`${root}/${folder}`)) {
        const path = `${folder}/${entry.name}`;
        if (looked === ENTRIES_LIMIT || changed.size >= CHANGES_LIMIT) break;
        if (++looked % TOGETHER === 0) await setImmediate();
        if (!isWithinDepth(path)) continue;
        if (entry.isDirectory()) folders.push(path);
        else if (packageOf(path) !== undefined) {
          const at = changeOf(`${root}/${path}`);
          if (at !== undefined && at > since) changed.set(fromDisk(path), at);
        }
      }
    }
  }
  const all = [...changed].slice(0, CHANGES_LIMIT).map(([path, at]) => ({ path, at }));
  return { now: Date.now(), changed: all };
}

/** The folders of installed packages beside the project's own files. */
function modulesOf(root: string, sources: Sources): string[] {
  const folders = [MODULES];
  for (const { path, entry } of walk(root, sources))
    if (entry.isDirectory()) folders.push(`${path}/${MODULES}`);
  return folders.filter((folder) => {
    try {
      return lstatSync(`${root}/${folder}`, { throwIfNoEntry: false })?.isDirectory();
    } catch {
      return false;
    }
  });
}

/** Whole milliseconds; undefined where nothing is. */
function changeOf(path: string): number | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found && Math.floor(found.ctimeMs);
  } catch {
    return undefined;
  }
}
