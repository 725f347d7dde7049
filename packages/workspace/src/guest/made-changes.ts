import { lstatSync, type Dirent } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { packageOf } from "../package-managers/package-of.ts";
import { fromDisk } from "../paths.ts";
import type { Sources } from "../sources/sources.ts";
import type { Params, Result } from "../wire/requests.ts";
import { findMade } from "./remove-made.ts";
import { isWithinDepth, readableEntries } from "./walk.ts";

/** Paths that are named; more of them say nothing new. */
const NAMED = 20;
/** Entries that are looked at: more would take longer than the look that they are for. */
const ENTRIES_LIMIT = 400_000;
/** Entries that are looked at before others get their turn. */
const TOGETHER = 500;
/** The clock that a file system goes by may be so far behind, in milliseconds. */
const CLOCK_LAG_MS = 20;
const MODULES = "node_modules";

type Spans = Params<"made-changes">["spans"];

/** What of a folder does not count, by its path. */
interface Exceptions {
  /** Neither this nor what is in it. */
  isPassed(path: string, entry: Dirent): boolean;
  /** What is in this folder counts, and not that something was put into it or taken out. */
  isShelf(path: string): boolean;
}

/**
 * Installed packages are the business of `dependencyChanges`. A hidden file beside them is a note of their package manager:
 * no import can name it.
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
/** What npm fetched it compares with the lock file when it is used, but for what `npx` runs. */
const NPX = `${NPM}/_npx`;
const FETCHED_BY_NPM: Exceptions = {
  isPassed: (path) => path.startsWith(`${NPM}/`) && path !== NPX && !path.startsWith(`${NPX}/`),
  isShelf: (path) => path === FETCHED || path === NPM,
};

/**
 * Finds what was written in spans of time beside the project's own files: the output of builds, the state of tools, and what
 * was fetched. The time of change counts, which no program can set: of a folder that was moved to where it is, its own.
 * @param home the folder that what is fetched is kept in
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
      // What was not looked at is not known to be as it was.
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

/** Milliseconds; undefined where nothing is. */
function changeOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs;
  } catch {
    return undefined;
  }
}
