import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { isDataFile, isIgnoredName, isOutputFolder, isSecretFile } from "../ignored.ts";
import { fromDisk } from "../paths.ts";
import type { ManifestChanges, ManifestEntry } from "../wire/requests.ts";
import { blobHash, hashFile } from "./file-hash.ts";

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
}

/**
 * Describes the project's files but what the app itself keeps (see `isDataFile`): all of them, or what is another since the
 * answer that the caller names. Every file is looked at each time, whatever a watch says, since a program may write
 * without any event (by a memory map, say). What did not change, by inode, size and times, is neither read nor told again,
 * and a folder is listed only where it changed itself: what is left is what the kernel takes to tell of each.
 * @param of the project's own files, or all that is in the folders which builds write into
 */
export function createManifest(
  root: string,
  secretKey: string,
  { of = "project", now = Date.now }: { of?: "project" | "output"; now?: () => number } = {},
): (known?: string) => ManifestChanges {
  const top: Item = { kind: "folder", path: fromDisk(""), full: root, items: [] };
  const isLeftOut = (path: string, name: string, kind: Item["kind"]): boolean => {
    const atRoot = path === name;
    if (of === "output") return atRoot ? !isOutputFolder(name) : isIgnoredName(name, false);
    return isIgnoredName(name, atRoot) || (kind !== "folder" && isDataFile(path));
  };
  let state: string | undefined;
  let changed: ManifestEntry[] = [];
  let gone: ProjectPath[] = [];

  function forget(item: Item): void {
    if (item.entry) gone.push(item.path);
    item.entry = undefined;
    item.seen = undefined;
    for (const inside of item.items) forget(inside);
    item.items = [];
  }

  function tell(item: Item, entry: ManifestEntry): void {
    const before = item.entry;
    if (before?.hash === entry.hash && before.mode === entry.mode) return;
    item.entry = entry;
    changed.push(entry);
  }

  function lookAtFolder(folder: Item): void {
    const stat = look(folder.full);
    if (!stat?.isDirectory()) return forget(folder);
    if (!isSame(folder.seen, stat)) {
      folder.items = list(folder);
      folder.seen = settled(stat, now());
    }
    for (const item of folder.items)
      if (item.kind === "file") lookAtFile(item);
      else if (item.kind === "folder") lookAtFolder(item);
      else lookAtLink(item);
  }

  /** What is in a folder by now; what was there before is the same item. */
  function list(folder: Item): Item[] {
    const before = new Map(folder.items.map((item) => [item.full, item]));
    const items: Item[] = [];
    const atRoot = folder === top;
    for (const found of attempt(() => readdirSync(folder.full, { withFileTypes: true })) ?? []) {
      const kind = found.isFile()
        ? "file"
        : found.isDirectory()
          ? "folder"
          : found.isSymbolicLink()
            ? "link"
            : undefined;
      if (kind === undefined) continue;
      const path = fromDisk(atRoot ? found.name : `${folder.path}/${found.name}`);
      if (isLeftOut(path, found.name, kind)) continue;
      const full = `${root}/${path}`;
      const there = before.get(full);
      if (there?.kind === kind) before.delete(full);
      items.push(there?.kind === kind ? there : { kind, path, full, items: [] });
    }
    for (const item of before.values()) forget(item);
    return items.sort((a, b) => (a.full < b.full ? -1 : a.full > b.full ? 1 : 0));
  }

  function lookAtFile(item: Item): void {
    const stat = look(item.full);
    if (!stat?.isFile()) return forget(item);
    if (isSame(item.seen, stat)) return;
    const began = now();
    const hash = attempt(() => hashFile(root, item.path, secretKey));
    if (hash === undefined) return forget(item);
    // Its mode cannot change without its time of change.
    item.seen = settled(stat, began);
    const mode = stat.mode & 0o100 ? "100755" : "100644";
    tell(item, { path: item.path, mode, hash, secret: isSecretFile(item.path) || undefined });
  }

  function lookAtLink(item: Item): void {
    const target = attempt(() => readlinkSync(item.full));
    if (target === undefined) return forget(item);
    tell(item, { path: item.path, mode: "120000", hash: blobHash(Buffer.from(target)) });
  }

  return (known) => {
    const isKnown = known !== undefined && known === state;
    // What is half looked at counts for nothing.
    state = undefined;
    [changed, gone] = [[], []];
    lookAtFolder(top);
    state = randomBytes(12).toString("hex");
    return isKnown
      ? { state, whole: false, changed, gone }
      : { state, whole: true, changed: allOf(top, []), gone: [] };
  };
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
