import { closeSync, lstatSync, readFileSync, type Stats } from "node:fs";
import { relative } from "node:path";
import { watch } from "chokidar";
import { isDataFile, isIgnored } from "../ignored.ts";
import type { GuestFileChange } from "../wire/types.ts";
import { versionOf } from "./files.ts";
import { inFolder, openRegular } from "./open-folder.ts";

const EVERY_MS = 50;
/** Files get their time from a clock that is a few milliseconds behind. */
const CLOCK_TICK_MS = 20;
/** Whose hand wrote a file is told by its version; a file this large is not worth hashing for that. */
const HASHED_UP_TO = 4 * 1024 * 1024;

/** An app that writes its data does not change the project. */
const unwatched = (path: string) => isIgnored(path) || isDataFile(path);

/** Tells what changed, gathered over 50 ms. Resolves when the first look at the tree is done. */
export async function watchFiles(
  root: string,
  onChanges: (changes: GuestFileChange[]) => void,
): Promise<void> {
  const pending = new Map<string, "written" | "removed">();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    timer = undefined;
    const changes = [...pending].map(([path, kind]) => describe(root, path, kind));
    pending.clear();
    if (changes.length > 0) onChanges(changes);
  };
  const note = (kind: "written" | "removed") => (absolute: string) => {
    const path = relative(root, absolute);
    if (path === "" || unwatched(path)) return;
    pending.set(path, kind);
    timer ??= setTimeout(flush, EVERY_MS);
  };

  // What is written while the tree is looked at for the first time is news as well; what was there before is not.
  const since = Date.now() - CLOCK_TICK_MS;
  let first = true;
  const isNews = (stat?: Stats) => !first || (stat?.ctimeMs ?? 0) >= since;
  const watcher = watch(root, {
    ignoreInitial: false,
    alwaysStat: true,
    followSymlinks: false,
    ignored: (path) => path !== root && unwatched(relative(root, path)),
  });
  watcher.on("add", (path, stat) => {
    if (isNews(stat)) note("written")(path);
  });
  watcher.on("change", note("written")).on("unlink", note("removed"));
  watcher.on("error", () => undefined);
  await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  first = false;
}

function describe(root: string, path: string, kind: "written" | "removed"): GuestFileChange {
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
