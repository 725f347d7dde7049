import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Entries that are handled in one go; whoever else wants this process has its turn then. */
const AT_ONCE = 2_000;

/**
 * Removes a folder with all it holds, however deep that is nested: the kernel takes no path over 4,096 bytes, and generated
 * code makes folders a million levels deep, one at a time. So each folder is moved up to the one that goes before it is
 * looked into, and no path here is longer than that one's with two names more. Follows no link. Names are bytes.
 */
export async function removeDeep(path: string): Promise<void> {
  for (const _ of removing(path)) await new Promise(setImmediate);
}

/** The same at once. */
export function removeDeepNow(path: string): void {
  for (const _ of removing(path));
}

function* removing(path: string): Generator<void, void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) return void unlinkSync(path);
  let named = 0;
  let handled = 0;
  const waiting: string[] = [];
  const free = (): string => {
    for (;;) {
      const name = join(path, `.going-${++named}`);
      if (!lstatSync(name, { throwIfNoEntry: false })) return name;
    }
  };
  /** Takes what is in a folder away, its folders to the top. */
  function* empty(folder: string): Generator<void, void> {
    for (const name of readdirSync(folder, "buffer")) {
      if (++handled % AT_ONCE === 0) yield;
      const entry = Buffer.concat([Buffer.from(`${folder}/`), name]);
      if (!lstatSync(entry).isDirectory()) {
        unlinkSync(entry);
        continue;
      }
      // A folder that is moved is written to, as it names the one above it.
      chmodSync(entry, 0o700);
      const to = free();
      renameSync(entry, to);
      waiting.push(to);
    }
  }
  chmodSync(path, 0o700);
  yield* empty(path);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    yield* empty(folder);
    rmdirSync(folder);
  }
  rmdirSync(path);
}
