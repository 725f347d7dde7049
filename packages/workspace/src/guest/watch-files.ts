import { closeSync, lstatSync, readFileSync, type Stats } from "node:fs";
import { relative } from "node:path";
import { watch } from "chokidar";
import type { ProjectPath } from "@treadle/protocol";
import { isNeverOwn } from "../ignored.ts";
import { fromDisk } from "../paths.ts";
import type { Sources } from "../sources/sources.ts";
import type { GuestFileChange } from "../wire/messages.ts";
import { versionOf } from "./files.ts";
import { inFolder, openRegular } from "./open-folder.ts";
import { isWithinDepth, walk } from "./walk.ts";

const EVERY_MS = 50;
/** How long it has been quiet before everything is looked at again. */
const QUIET_MS = 250;
/** Files get their time from a clock that is a few milliseconds behind. */
const CLOCK_TICK_MS = 20;
/** Whose hand wrote a file is told by its version; a file this large is not worth hashing for that. */
const HASHED_UP_TO = 4 * 1024 * 1024;

/**
 * The kernel keeps this many events for one who is too busy to take them, and drops all others; neither libuv nor chokidar
 * says so (F25). Half of it at once is taken for too many.
 */
function tooMany(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8")) / 2;
  } catch {
    return 8_192;
  }
}

/** Tells what changed, gathered over 50 ms. */
export function watchFiles(
  root: string,
  sources: Sources,
  {
    onChanges,
    onRepository,
  }: {
    onChanges(changes: GuestFileChange[]): void;
    /** Something that is part of a repository's outside was seen, also again. `atRoot`: the project's own. */
    onRepository(atRoot: boolean): void;
  },
): {
  /** When the first look at the tree is done. */
  ready: Promise<void>;
  /** Looks at everything and tells what it has not told yet, at once: this watch has an end. */
  tellNow(): void;
  /** The same once it has been quiet for a moment: what is the project's own may be another set of files. */
  lookSoon(): void;
} {
  const pending = new Map<ProjectPath, "written" | "removed">();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    timer = undefined;
    const changes = [...pending].map(([path, kind]) => describe(root, path, kind));
    pending.clear();
    if (changes.length > 0) onChanges(changes);
  };
  /** What was seen of each file last; what differs from it after events were dropped is news. */
  const known = new Map<ProjectPath, string>();
  const stamp = ({ ino, size, mtimeMs }: Stats) => `${ino} ${size} ${mtimeMs}`;
  const notify = (path: ProjectPath, kind: "written" | "removed") => {
    pending.set(path, kind);
    timer ??= setTimeout(flush, EVERY_MS);
  };
  /** An app that writes its data does not change the project. */
  const unwatched = (path: string, isFolder = false) =>
    !isWithinDepth(path) || sources.kindOf(path, isFolder) !== "source";
  const note = (kind: "written" | "removed", absolute: string, stat?: Stats, isNews = true) => {
    const path = fromDisk(relative(root, absolute));
    if (path === "" || unwatched(path)) return;
    if (kind === "removed") known.delete(path);
    else if (stat) known.set(path, stamp(stat));
    if (isNews) notify(path, kind);
  };

  // What is written while the tree is looked at for the first time is news as well; what was there before is not.
  const since = Date.now() - CLOCK_TICK_MS;
  let first = true;
  const isNews = (stat?: Stats) => !first || (stat?.ctimeMs ?? 0) >= since;
  const watcher = watch(root, {
    ignoreInitial: false,
    alwaysStat: true,
    followSymlinks: false,
    ignored(path, stat) {
      // What is left out is not told of, but it is seen here.
      if (/\/(?:\.git|HEAD)$/i.test(path)) onRepository(path === `${root}/.git`);
      // It is asked once more when it is known what stands there.
      if (path === root) return false;
      if (stat === undefined) return isNeverOwn(path.slice(path.lastIndexOf("/") + 1));
      return unwatched(relative(root, path), stat.isDirectory());
    },
  });
  watcher.on("add", (path, stat) => note("written", path, stat, isNews(stat)));
  watcher.on("change", (path, stat) => note("written", path, stat));
  watcher.on("unlink", (path) => note("removed", path));
  watcher.on("error", () => undefined);

  const lookAgain = () => {
    const watched = watcher.getWatched();
    const found = new Set<ProjectPath>();
    for (const { path, entry, kind } of walk(root, sources)) {
      if (kind === "data") continue;
      if (entry.isDirectory()) {
        if (!watched[`${root}/${path}`]) watcher.add(`${root}/${path}`);
        continue;
      }
      const stat = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
      if (!stat) continue;
      found.add(path);
      if (known.get(path) === stamp(stat)) continue;
      known.set(path, stamp(stat));
      notify(path, "written");
    }
    for (const path of known.keys()) {
      if (found.has(path)) continue;
      known.delete(path);
      notify(path, "removed");
    }
  };
  const limit = tooMany();
  let events = 0;
  let again: NodeJS.Timeout | undefined;
  const lookSoon = () => {
    clearTimeout(again);
    again = setTimeout(lookAgain, QUIET_MS);
  };
  const count = () => {
    if (events >= limit) lookSoon();
    events = 0;
  };
  watcher.on("raw", () => {
    if (++events === 1) setTimeout(count, EVERY_MS);
  });
  const ready = new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  return {
    lookSoon,
    ready: ready.then(() => void (first = false)),
    tellNow() {
      lookAgain();
      clearTimeout(timer);
      flush();
    },
  };
}

function describe(root: string, path: ProjectPath, kind: "written" | "removed"): GuestFileChange {
  if (kind === "removed") return { path, kind, size: 0 };
  try {
    const stat = lstatSync(`${root}/${path}`);
    if (!stat.isFile() || stat.size > HASHED_UP_TO) return { path, kind, size: stat.size };
    const bytes = inFolder(root, path, {}, (target) => {
      const { fd } = openRegular(target, path);
      try {
        return readFileSync(fd);
      } finally {
        closeSync(fd);
      }
    });
    return { path, kind, size: bytes.length, version: versionOf(bytes) };
  } catch {
    return { path, kind: "removed", size: 0 };
  }
}
