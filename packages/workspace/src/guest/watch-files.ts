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
/** How long the files must be quiet before a full look. */
const QUIET_MS = 250;
/** The clock of file times may lag by a few milliseconds. */
const CLOCK_TICK_MS = 20;
/**
 * The author of a change is identified by the file's version; larger files are not hashed for that.
 */
const HASHED_UP_TO = 4 * 1024 * 1024;

/**
 * The number of events at once that count as too many: half of what the kernel queues for a slow reader. It drops all
 * further ones, and neither libuv nor chokidar reports that (F25).
 */
function tooMany(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8")) / 2;
  } catch {
    return 8_192;
  }
}

/** Reports changes, batched over 50 ms. */
export function watchFiles(
  root: string,
  sources: Sources,
  {
    onChanges,
    onRepository,
  }: {
    onChanges(changes: GuestFileChange[]): void;
    /**
     * Called, possibly repeatedly, for a file that git would treat as part of a repository.
     * `atRoot`: the project's own.
     */
    onRepository(atRoot: boolean): void;
  },
): {
  /** Resolves after the first look at the tree. */
  ready: Promise<void>;
  /**
   * Looks at everything and reports unreported changes immediately, because the sandbox is about to end, and this watch
   * with it.
   */
  tellNow(): void;
  /**
   * Schedules a look at everything after a quiet moment, because the set of the project's own files may have changed.
   */
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
  /** The last known state of each file; after dropped events, differences from it are reported. */
  const known = new Map<ProjectPath, string>();
  const stamp = ({ ino, size, mtimeMs }: Stats) => `${ino} ${size} ${mtimeMs}`;
  const notify = (path: ProjectPath, kind: "written" | "removed") => {
    pending.set(path, kind);
    timer ??= setTimeout(flush, EVERY_MS);
  };
  /** Whether a path is not reported. The app's data is not, because writing it does not change the project. */
  const unwatched = (path: string, isFolder = false) =>
    !isWithinDepth(path) || sources.kindOf(path, isFolder) !== "source";
  const note = (kind: "written" | "removed", absolute: string, stat?: Stats, isNews = true) => {
    const path = fromDisk(relative(root, absolute));
    if (path === "" || unwatched(path)) return;
    if (kind === "removed") known.delete(path);
    else if (stat) known.set(path, stamp(stat));
    if (isNews) notify(path, kind);
  };

  // Files written during the first look at the tree are reported; those from before are not.
  const since = Date.now() - CLOCK_TICK_MS;
  let first = true;
  const isNews = (stat?: Stats) => !first || (stat?.ctimeMs ?? 0) >= since;
  const watcher = watch(root, {
    ignoreInitial: false,
    alwaysStat: true,
    followSymlinks: false,
    ignored(path, stat) {
      // Files that are left out are not reported, but are seen here.
      if (/\/(?:\.git|HEAD)$/i.test(path)) onRepository(path === `${root}/.git`);
      // Called a second time once the kind of the entry is known.
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
