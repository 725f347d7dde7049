import { lstatSync } from "node:fs";
import { relative } from "node:path";
import { watch } from "chokidar";
import { isIgnored } from "../ignored.ts";
import type { GuestFileChange } from "../wire/types.ts";
import { versionOf } from "./files.ts";
import { closeSync, readFileSync } from "node:fs";
import { inFolder, openRegular } from "./open-folder.ts";

const EVERY_MS = 50;
/** Whose hand wrote a file is told by its version; a file this large is not worth hashing for that. */
const HASHED_UP_TO = 4 * 1024 * 1024;

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
    if (path === "" || isIgnored(path)) return;
    pending.set(path, kind);
    timer ??= setTimeout(flush, EVERY_MS);
  };

  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => path !== root && isIgnored(relative(root, path)),
  });
  watcher.on("add", note("written")).on("change", note("written")).on("unlink", note("removed"));
  watcher.on("error", () => undefined);
  await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
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
