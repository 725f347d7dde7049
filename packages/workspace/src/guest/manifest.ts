import { randomBytes } from "node:crypto";
import { lstatSync, readlinkSync, type Dirent, type Stats } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { isDataFile, isSecretFile } from "../ignored.ts";
import { fromDisk } from "../paths.ts";
import { TREE_LIMITS, type LeftOutReason, type TreeLimits } from "../sources/limits.ts";
import { below, createSources, isDoubtful, type Place, type Sources } from "../sources/sources.ts";
import type { ManifestChanges, ManifestEntry } from "../wire/requests.ts";
import { blobHash, hashFile, hashLarge } from "./file-hash.ts";
import { createSourceReader } from "./source-reader.ts";
import { createNotes, entriesOf, isWithinCount, isWithinDepth, noteLeftOut } from "./walk.ts";

/**
 * Milliseconds after which a time of change is old enough to tell two changes apart: the kernel's clock for files moves
 * every few milliseconds, that of a disk that counts whole seconds (or two, as FAT does) as slowly as that. What is
 * younger is read again at the next look.
 */
const [TICK, WHOLE_SECONDS] = [100, 2_100];

/** How something stood when it was looked at. */
type Seen = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">;

interface Item {
  kind: "file" | "link" | "folder";
  path: ProjectPath;
  full: string;
  /** Absent where it has to be read again, whatever its times are. */
  seen?: Seen | undefined;
  /** As it was told of last. */
  entry?: ManifestEntry | undefined;
  /** Of a folder, sorted by name. */
  items: Item[];
  /** Of a folder: as it was when it was listed last. */
  place?: Place | undefined;
  /** Of a folder: names that decide about it, if it has them. */
  marks?: ReadonlySet<string>;
  /** Of a folder: what of it is left out unless a source brings it in. */
  doubtful?: readonly string[] | undefined;
  /** Of a folder: entries that are too deep. */
  tooDeep?: readonly string[] | undefined;
  /** Of a file: why its content is not looked at. */
  why?: LeftOutReason | undefined;
}

/** Names of entries that decide what a folder is. */
const MARKS = new Set(["pyvenv.cfg", "CACHEDIR.TAG", ".gitignore"]);
/** Looks until what the sources bring in is found: each may bring in more. */
const ROUNDS = 8;
/** Bytes of the beginning and the end of a large file that are looked at. */
const SAMPLE_BYTES = 1024 * 1024;

/**
 * Describes the project's files but what the app itself keeps (see `isDataFile`): all of them, or what is another since the
 * answer that the caller names. Every file is looked at each time, whatever a watch says, since a program may write
 * without any event (by a memory map, say). What did not change, by inode, size and times, is neither read nor told again,
 * and a folder is listed only where it changed itself, or what decides about it: what is left is what the kernel takes to
 * tell of each. What is beyond a limit (`TREE_LIMITS`) is left out and named.
 * @param of the project's own files, or all that is left out of them as output of builds
 */
export function createManifest(
  root: string,
  secretKey: string,
  {
    source = "project",
    now = Date.now,
    sources = createSources(createSourceReader(root)),
    limits = TREE_LIMITS,
  }: {
    source?: "project" | "output";
    now?: () => number;
    sources?: Sources;
    limits?: TreeLimits;
  } = {},
): (known?: string) => ManifestChanges {
  const top: Item = { kind: "folder", path: fromDisk(""), full: root, items: [] };
  /** Whether a folder is looked into; a file is described. */
  const isLookedInto = (place: Pick<Place, "kind" | "isSure">, path: string): boolean =>
    source === "project" || place.kind === "foreign" || place.kind === "cache"
      ? sources.isEntered(place, path)
      : true;
  const isDescribed = (place: Place, name: string, doubtful: Set<string>): boolean => {
    const kind = sources.fileKind(place, name, doubtful);
    if (source === "project") return kind === "source";
    if (kind === "foreign" || kind === "source" || place.kind === "cache") return false;
    return place.kind === "output" || !isDataFile(below(place, name));
  };
  let state: string | undefined;
  let changed = new Map<ProjectPath, ManifestEntry>();
  let gone = new Set<ProjectPath>();
  let notes = createNotes();
  /** Bytes that are still read in this look. */
  let readable = 0;

  function forget(item: Item): void {
    if (item.entry) gone.add(item.path);
    changed.delete(item.path);
    item.entry = undefined;
    item.seen = undefined;
    item.place = undefined;
    for (const inside of item.items) forget(inside);
    item.items = [];
  }

  function add(item: Item, entry: ManifestEntry): void {
    const before = item.entry;
    if (before?.hash === entry.hash && before.mode === entry.mode) return;
    item.entry = entry;
    changed.set(item.path, entry);
  }

  function lookAtFolder(folder: Item, parent: Place | undefined): void {
    const stat = look(folder.full);
    if (!stat?.isDirectory()) return forget(folder);
    const name = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    const isListed = folder.place !== undefined && isSame(folder.seen, stat);
    let place = isListed
      ? sources.enter(parent, name, (mark) => folder.marks!.has(mark))
      : undefined;
    if (!place || place !== folder.place) {
      const entries = entriesOf(folder.full);
      if (typeof entries === "string") {
        if (entries !== "missing") noteLeftOut(notes, folder.path, entries);
        return forget(folder);
      }
      folder.marks = new Set(entries.map((entry) => entry.name).filter((one) => MARKS.has(one)));
      place = sources.enter(parent, name, (mark) => folder.marks!.has(mark));
      folder.items = list(folder, place, entries);
      folder.seen = settled(stat, now());
      folder.place = place;
    }
    for (const path of folder.tooDeep ?? []) noteLeftOut(notes, path, "depth");
    for (const path of folder.doubtful ?? []) notes.doubtful.add(path);
    if (parent?.kind === "own" && isDoubtful(place)) notes.doubtful.add(folder.path);
    for (const item of folder.items) {
      if (!isWithinCount(notes, item.path, limits)) forget(item);
      else if (item.kind === "file") lookAtFile(item);
      else if (item.kind === "folder") lookAtFolder(item, place);
      else lookAtLink(item);
    }
  }

  /** What is in a folder by now; what was there before is the same item. */
  function list(folder: Item, place: Place, entries: readonly Dirent[]): Item[] {
    const before = new Map(folder.items.map((item) => [item.full, item]));
    const items: Item[] = [];
    const doubtful = new Set<string>();
    const tooDeep: string[] = [];
    for (const found of isLookedInto(place, folder.path) ? entries : []) {
      const kind = kindOfEntry(found);
      if (kind === undefined) continue;
      const path = fromDisk(below(place, found.name));
      if (kind === "folder") {
        const inside = sources.folderKind(place, found.name);
        if (place.kind === "own" && isDoubtful(inside)) doubtful.add(path);
        if (!isLookedInto(inside, path)) continue;
      } else if (!isDescribed(place, found.name, doubtful)) continue;
      if (!isWithinDepth(path)) {
        tooDeep.push(path);
        continue;
      }
      const full = `${root}/${path}`;
      const there = before.get(full);
      if (there?.kind === kind) before.delete(full);
      items.push(there?.kind === kind ? there : { kind, path, full, items: [] });
    }
    for (const item of before.values()) forget(item);
    folder.tooDeep = tooDeep.length > 0 ? tooDeep.slice(0, limits.named) : undefined;
    folder.doubtful = doubtful.size > 0 ? [...doubtful] : undefined;
    return items.sort((a, b) => (a.full < b.full ? -1 : a.full > b.full ? 1 : 0));
  }

  function lookAtFile(item: Item): void {
    const stat = look(item.full);
    if (!stat?.isFile()) return forget(item);
    if (isSame(item.seen, stat)) {
      if (item.why) noteLeftOut(notes, item.path, item.why);
      return;
    }
    const began = now();
    const isLarge = stat.size > limits.fileBytes || stat.size > readable;
    if (!isLarge) readable -= stat.size;
    const hash = attempt(() =>
      isLarge
        ? hashLarge(root, item.path, { stat, key: secretKey, bytes: SAMPLE_BYTES })
        : hashFile(root, item.path, secretKey),
    );
    item.why = hash === undefined ? "unreadable" : isLarge ? "size" : undefined;
    if (item.why) noteLeftOut(notes, item.path, item.why);
    if (hash === undefined) return forget(item);
    // Its mode cannot change without its time of change.
    item.seen = settled(stat, began);
    const mode = stat.mode & 0o100 ? "100755" : "100644";
    const secret = isLarge || isSecretFile(item.path) || undefined;
    add(item, { path: item.path, mode, hash, secret });
  }

  function lookAtLink(item: Item): void {
    const target = attempt(() => readlinkSync(item.full));
    if (target === undefined) return forget(item);
    add(item, { path: item.path, mode: "120000", hash: blobHash(Buffer.from(target)) });
  }

  function lookOnce(): void {
    sources.refresh();
    notes = createNotes();
    lookAtFolder(top, undefined);
  }

  return (known) => {
    const isKnown = known !== undefined && known === state;
    // What is half looked at counts for nothing.
    state = undefined;
    [changed, gone] = [new Map(), new Set()];
    readable = limits.lookBytes;
    for (let round = 0; round < ROUNDS; round++) {
      lookOnce();
      if (source !== "project" || !sources.bringIn(notes.doubtful, textsOf(top))) break;
    }
    state = randomBytes(12).toString("hex");
    const leftOut = [...notes.leftOut].map(([path, why]) => ({ path: fromDisk(path), why }));
    if (!isKnown) return { state, whole: true, changed: allOf(top, []), gone: [], leftOut };
    return { state, whole: false, changed: [...changed.values()], gone: [...gone], leftOut };
  };
}

/** Files in which something may be brought in, with a stamp that is another whenever they may be. */
function* textsOf(folder: Item): Generator<{ path: string; stamp: string }> {
  for (const item of folder.items)
    if (item.kind === "folder") yield* textsOf(item);
    else if (item.kind === "file" && item.entry) yield { path: item.path, stamp: item.entry.hash };
}

function kindOfEntry(found: Dirent): Item["kind"] | undefined {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "folder";
  return found.isSymbolicLink() ? "link" : undefined;
}

function allOf(folder: Item, into: ManifestEntry[]): ManifestEntry[] {
  for (const item of folder.items)
    if (item.kind === "folder") allOf(item, into);
    else if (item.entry) into.push(item.entry);
  return into;
}

/** Times have a part of a microsecond, far less than a clock's tick. Undefined where nothing is there. */
const look = (path: string): Stats | undefined =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false }));

const isSame = (seen: Seen | undefined, { ino, size, mtimeMs, ctimeMs }: Stats): boolean =>
  seen?.ctimeMs === ctimeMs && seen.mtimeMs === mtimeMs && seen.size === size && seen.ino === ino;

/** Undefined where it could change once more without its times telling. */
function settled({ ino, size, mtimeMs, ctimeMs }: Stats, lookedAt: number): Seen | undefined {
  const isOld = ctimeMs < lookedAt - (ctimeMs % 1_000 === 0 ? WHOLE_SECONDS : TICK);
  return isOld ? { ino, size, mtimeMs, ctimeMs } : undefined;
}

/** Files come and go while a command runs; what is gone is simply not part of the revision. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
