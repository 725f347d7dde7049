import { lstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { ProjectPath } from "@treadle/protocol";
import { packageOf } from "../package-managers/package-of.ts";
import { fromDisk } from "../paths.ts";
import type { Sources } from "../sources/sources.ts";
import type { Params, Result } from "../wire/requests.ts";
import { isWithinDepth, readableEntries, walk } from "./walk.ts";

const MODULES = "node_modules";
/** Maximum number of reported changes; more would not add information. */
const CHANGES_LIMIT = 500;
/** Maximum number of entries that are read, because more would take too long; the others are not checked. */
const ENTRIES_LIMIT = 400_000;
/** Number of entries read before yielding to other work. */
const TOGETHER = 500;

/**
 * Finds files of installed packages that were written since a given time, and earlier changes
 * (`kept`) whose file has not changed again. Ignores caches that tools write beside the packages
 * (`node_modules/.vite`). Uses ctime, which a program cannot set as it can set mtime.
 * @param params.since milliseconds since 1970; if absent, only the earlier changes are looked at
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

/** The `node_modules` folders in the project. */
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

/** The change time in whole milliseconds; undefined if there is no such file. */
function changeOf(path: string): number | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found && Math.floor(found.ctimeMs);
  } catch {
    return undefined;
  }
}
