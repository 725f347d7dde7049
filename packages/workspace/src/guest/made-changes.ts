import { lstatSync, type Dirent } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { packageOf } from "../package-managers/package-of.ts";
import { fromDisk } from "../paths.ts";
import type { Sources } from "../sources/sources.ts";
import type { Params, Result } from "../wire/requests.ts";
import { findMade } from "./remove-made.ts";
import { isWithinDepth, readableEntries } from "./walk.ts";

/** Maximum number of reported paths; more would not add information. */
const NAMED = 20;
/** Maximum number of entries that are read, because more would take too long; beyond it, folders count as changed. */
const ENTRIES_LIMIT = 400_000;
/** Number of entries read before yielding to other work. */
const TOGETHER = 500;
/** How far a file system's clock may lag, in milliseconds. */
const CLOCK_LAG_MS = 20;
const MODULES = "node_modules";

type Spans = Params<"made-changes">["spans"];

/** Paths in a folder that do not count as changes. */
interface Exceptions {
  /** Skips the entry and everything in it. */
  isPassed(path: string, entry: Dirent): boolean;
  /**
   * Ignores that entries were added to or removed from this folder; changes in them still count.
   */
  isShelf(path: string): boolean;
}

/**
 * Installed packages are covered by `dependencyChanges`. A hidden file beside them belongs to the
 * package manager: no import can name it.
 */
const PACKAGES: Exceptions = {
  isPassed: (path, entry) =>
    packageOf(`${path}/x`) !== undefined ||
    (nameOf(parentOf(path)) === MODULES && !entry.isDirectory() && nameOf(path).startsWith(".")),
  isShelf: (path) =>
    nameOf(path) === MODULES ||
    (nameOf(path).startsWith("@") && nameOf(parentOf(path)) === MODULES),
};

const FETCHED = ".cache";
const NPM = `${FETCHED}/npm`;
/** npm verifies what it fetched against the lock file on use, except for packages run by `npx`. */
const NPX = `${NPM}/_npx`;
const FETCHED_BY_NPM: Exceptions = {
  isPassed: (path) => path.startsWith(`${NPM}/`) && path !== NPX && !path.startsWith(`${NPX}/`),
  isShelf: (path) => path === FETCHED || path === NPM,
};

/**
 * Finds files outside the project's own that were written within given spans of time: build output, the state of tools,
 * and fetched packages. Uses ctime, which no program can set; that a folder was moved shows only in the ctime of the
 * folder itself.
 * @param home the folder in which fetched packages are stored
 */
export async function madeChanges(
  root: string,
  home: string,
  sources: Sources,
  { spans }: Params<"made-changes">,
): Promise<Result<"made-changes">> {
  const made: string[] = [];
  if (spans.length === 0) return { made: [], isFetchedChanged: false };
  const budget = { entries: ENTRIES_LIMIT };
  for (const top of findMade(root, sources)) {
    if (made.length === NAMED) break;
    if (await isWritten({ root, spans, budget, ...PACKAGES }, top)) made.push(top.path);
  }
  const fetched = { path: FETCHED, isFolder: true };
  return {
    made: made.map(fromDisk),
    isFetchedChanged: await isWritten({ root: home, spans, budget, ...FETCHED_BY_NPM }, fetched),
  };
}

async function isWritten(
  look: Exceptions & { root: string; spans: Spans; budget: { entries: number } },
  top: { path: string; isFolder: boolean },
): Promise<boolean> {
  const { root, spans, budget } = look;
  const isIn = (path: string) => isWithin(changeOf(`${root}/${path}`), spans);
  if (!look.isShelf(top.path) && isIn(top.path)) return true;
  const folders = top.isFolder ? [top.path] : [];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readableEntries(`${root}/${folder}`)) {
      const path = `${folder}/${entry.name}`;
      // Anything that was not checked counts as changed.
      if (budget.entries-- <= 0) return true;
      if (budget.entries % TOGETHER === 0) await setImmediate();
      if (look.isPassed(path, entry)) continue;
      if (!isWithinDepth(path)) return true;
      if (!(entry.isDirectory() && look.isShelf(path)) && isIn(path)) return true;
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return false;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const isWithin = (at: number | undefined, spans: Spans): boolean =>
  at !== undefined && spans.some(({ from, to }) => at >= from - CLOCK_LAG_MS && at <= to + 1);

/** The change time in milliseconds; undefined if there is no such file. */
function changeOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs;
  } catch {
    return undefined;
  }
}
