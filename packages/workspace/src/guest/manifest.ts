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
 * Milliseconds after which two changes are certain to have different times: the kernel's clock for
 * files ticks every few milliseconds, that of some disks once per second (or two, on FAT). A file
 * with a younger time is read again at the next look.
 */
const [TICK, WHOLE_SECONDS] = [100, 2_100];

/** The attributes of an entry when it was last checked. */
type Seen = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">;

interface Item {
  kind: "file" | "link" | "folder";
  path: ProjectPath;
  full: string;
  /** Absent if the entry has to be read again, whatever its times are. */
  seen?: Seen | undefined;
  /** The entry as last reported. */
  entry?: ManifestEntry | undefined;
  /** For a folder: its entries, sorted by name. */
  items: Item[];
  /** For a folder: its classification when it was last listed. */
  place?: Place | undefined;
  /** For a folder: names in it that affect its classification. */
  marks?: ReadonlySet<string>;
  /** For a folder: entries that are left out unless a source imports them. */
  doubtful?: readonly string[] | undefined;
  /** For a folder: entries that are nested too deeply. */
  tooDeep?: readonly string[] | undefined;
  /** For a file: the reason why its content is not read. */
  why?: LeftOutReason | undefined;
}

/** Names of entries that determine what a folder is. */
const MARKS = new Set(["pyvenv.cfg", "CACHEDIR.TAG", ".gitignore"]);
/** Maximum number of looks to find everything that sources import: each import may add more. */
const ROUNDS = 8;
/** Number of bytes read at the start and at the end of a large file. */
const SAMPLE_BYTES = 1024 * 1024;

/**
 * Describes the project's files, except the app's own data (see `isDataFile`): all of them, or those that changed since
 * the answer named by the caller. Checks every file each time, even if no watch event arrived, since a program may
 * write without any (through a memory map). Entries with the same inode, size and times are neither read nor reported
 * again, and a folder is listed again only if it or its classification changed; the remaining cost is one `lstat` per
 * entry. Files beyond a limit (`TREE_LIMITS`) are left out and named.
 * @param options.source `project`: the project's own files; `output`: the build output that is left out of them
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
  /** Whether a folder is entered, or a file is described. */
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
  /** Bytes that this look may still read. */
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

  /** Updates the entries of a folder; existing entries keep their item. */
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
    // Its mode cannot change without its ctime.
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
    // A look that was not completed is discarded.
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

/**
 * Files in which imports may be declared, each with a stamp that changes whenever the file may have
 * changed.
 */
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

/**
 * The attributes of an entry; undefined if there is no such entry. Times include fractions of a microsecond, which is
 * much finer than a clock's tick.
 */
const look = (path: string): Stats | undefined =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false }));

const isSame = (seen: Seen | undefined, { ino, size, mtimeMs, ctimeMs }: Stats): boolean =>
  seen?.ctimeMs === ctimeMs && seen.mtimeMs === mtimeMs && seen.size === size && seen.ino === ino;

/**
 * The attributes to compare with at the next look; undefined if the entry could change once more without its times
 * showing it.
 */
function settled({ ino, size, mtimeMs, ctimeMs }: Stats, lookedAt: number): Seen | undefined {
  const isOld = ctimeMs < lookedAt - (ctimeMs % 1_000 === 0 ? WHOLE_SECONDS : TICK);
  return isOld ? { ino, size, mtimeMs, ctimeMs } : undefined;
}

/**
 * Returns undefined if `act` throws: files may disappear while a command runs, and are then not part of the revision.
 */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
