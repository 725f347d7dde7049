import { opendirSync, readdirSync, type Dirent } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { fromDisk } from "../paths.ts";
import { TREE_LIMITS, type LeftOutReason, type TreeLimits } from "../sources/limits.ts";
import { below, isDoubtful, type Place, type Sources } from "../sources/sources.ts";

/** Number of entries read from a folder at once. */
const TOGETHER = 512;

export interface Walked {
  path: ProjectPath;
  entry: Dirent;
  /** The kind of a file or link; folders are always `source`. */
  kind: "source" | "data";
}

/** Notes of a walk besides the entries that it yields. */
export interface WalkNotes {
  /** Files and folders that are left out unless a source imports them. */
  doubtful: Set<string>;
  /** Entries that are beyond a limit, or cannot be read. */
  leftOut: Map<string, LeftOutReason>;
  entries: number;
  /** Bytes needed to name all entries. */
  bytes: number;
}

export const createNotes = (): WalkNotes => ({
  doubtful: new Set(),
  leftOut: new Map(),
  entries: 0,
  bytes: 0,
});

/** Characters that are encoded as several bytes. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const LONG = /[\0-\x1f"\\\x7f-\uffff]/;
/** Bytes of an entry's description besides its path. */
const ABOUT_BYTES = 150;

/**
 * Counts one more entry.
 * @returns false if there are too many: the entry is left out
 */
export function isWithinCount(
  notes: WalkNotes,
  path: string,
  limits: Pick<TreeLimits, "entries" | "answerBytes"> = TREE_LIMITS,
): boolean {
  notes.entries++;
  notes.bytes += path.length * (LONG.test(path) ? 6 : 1) + ABOUT_BYTES;
  if (notes.entries <= limits.entries && notes.bytes <= limits.answerBytes) return true;
  noteLeftOut(notes, path, "count");
  return false;
}

/** Records an entry that is left out, up to a limit. */
export function noteLeftOut({ leftOut }: WalkNotes, path: string, why: LeftOutReason): void {
  if (leftOut.size < TREE_LIMITS.named) leftOut.set(path, why);
}

/** Whether a path is short and shallow enough to be read. */
export const isWithinDepth = (path: string): boolean =>
  Buffer.byteLength(path) <= TREE_LIMITS.pathBytes &&
  path.split("/").length <= TREE_LIMITS.depth + 1;

/** The entries of a folder, sorted by name, or the reason why it is not read. */
export function entriesOf(folder: string): Dirent[] | "count" | "unreadable" | "missing" {
  const entries: Dirent[] = [];
  let open;
  try {
    open = opendirSync(folder, { bufferSize: TOGETHER });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unreadable";
  }
  try {
    for (let entry = open.readSync(); entry; entry = open.readSync()) {
      if (entries.length === TREE_LIMITS.folderEntries) return "count";
      entries.push(entry);
    }
  } catch {
    return "unreadable";
  } finally {
    open.closeSync();
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** All entries of a folder; empty if it cannot be read. */
export function readableEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Whether a folder has an entry of this name. */
export const hasName =
  (entries: readonly Dirent[]) =>
  (name: string): boolean =>
    entries.some((entry) => entry.name === name);

/** A folder that is yielded only once something in it is. */
interface Waiting {
  walked: Walked;
  above: Waiting | undefined;
  isShown: boolean;
}

/**
 * Yields the project's own entries below a folder, depth-first, folders before their content,
 * sorted by name. Yields links without following them. A folder that disappears meanwhile counts as
 * empty.
 */
export function* walk(
  root: string,
  sources: Sources,
  { under = "", notes = createNotes() }: { under?: string; notes?: WalkNotes } = {},
): Generator<Walked> {
  interface Next {
    walked: Walked;
    parent: Place;
    waiting: Waiting | undefined;
  }
  // A stack of pending entries: a generator per folder would cost its depth at every file.
  const rest: Next[] = [];

  /**
   * Pushes the content of a folder onto the stack.
   * @param walked the folder itself; undefined for the start of the walk
   * @returns whether the folder is yielded whatever its content
   */
  function enter(
    path: string,
    parent: Place | undefined,
    { walked, waiting }: { walked?: Walked; waiting?: Waiting | undefined } = {},
  ): boolean {
    const entries = entriesOf(path === "" ? root : `${root}/${path}`);
    if (typeof entries === "string") {
      if (entries !== "missing") noteLeftOut(notes, path, entries);
      // Yielded, so that it can be removed.
      return true;
    }
    const place = sources.enter(parent, path.slice(path.lastIndexOf("/") + 1), hasName(entries));
    if (parent?.kind === "own" && isDoubtful(place)) notes.doubtful.add(path);
    if (!sources.isEntered(place, path)) return false;
    const isOwn = place.kind === "own";
    const next = isOwn || !walked ? waiting : { walked, above: waiting, isShown: false };
    for (const entry of entries.toReversed()) {
      const path = fromDisk(below(place, entry.name));
      const isFolder = entry.isDirectory();
      let kind: Walked["kind"] = "source";
      if (isFolder) {
        const found = sources.folderKind(place, entry.name);
        if (isOwn && isDoubtful(found)) notes.doubtful.add(path);
        if (!sources.isEntered(found, path)) continue;
      } else {
        const found = sources.fileKind(place, entry.name, notes.doubtful);
        if (found === "left-out" || found === "foreign") continue;
        kind = found;
      }
      if (!isWithinDepth(path)) {
        noteLeftOut(notes, path, "depth");
        continue;
      }
      rest.push({ walked: { path, entry, kind }, parent: place, waiting: next });
    }
    return isOwn;
  }

  const start = placeAbove(root, sources, under);
  if (start === undefined) return;
  enter(under, under === "" ? undefined : start);
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (!isWithinCount(notes, next.walked.path)) return;
    const { walked, parent, waiting } = next;
    if (walked.entry.isDirectory() && !enter(walked.path, parent, { walked, waiting })) continue;
    yield* shownWith(waiting);
    yield walked;
  }
}

function* shownWith(waiting: Waiting | undefined): Generator<Walked> {
  if (!waiting || waiting.isShown) return;
  yield* shownWith(waiting.above);
  waiting.isShown = true;
  yield waiting.walked;
}

/** The place of a folder's parent; undefined if the parent is not entered. */
function placeAbove(root: string, sources: Sources, under: string): Place | undefined {
  let place: Place | undefined;
  const names = under === "" ? [] : under.split("/");
  for (let depth = 0; depth < Math.max(1, names.length); depth++) {
    const path = names.slice(0, depth).join("/");
    const entries = entriesOf(path === "" ? root : `${root}/${path}`);
    if (typeof entries === "string") return undefined;
    if (place && !sources.isEntered(sources.folderKind(place, names[depth - 1]!), path))
      return undefined;
    place = sources.enter(place, names[depth - 1] ?? "", hasName(entries));
    if (!sources.isEntered(place, path)) return undefined;
  }
  const last = names.at(-1);
  if (place && last !== undefined && !sources.isEntered(sources.folderKind(place, last), under))
    return undefined;
  return place;
}
