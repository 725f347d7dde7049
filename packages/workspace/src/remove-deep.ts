import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Entries handled before yielding to other work of this process. */
const AT_ONCE = 2_000;

/**
 * Removes a folder with its contents at any depth. The kernel accepts no path over 4,096 bytes, but generated code can
 * nest a million folders one at a time. So each folder is moved up to the root of the removal before it is read, which
 * limits paths to the root's path plus two names. Follows no link. Names are bytes.
 */
export async function removeDeep(path: string): Promise<void> {
  for (const _ of removing(path)) await new Promise(setImmediate);
}

/** As `removeDeep`, but synchronously. */
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
  /** Removes a folder's content, moving subfolders to the root of the removal. */
  function* empty(folder: string): Generator<void, void> {
    for (const name of readdirSync(folder, "buffer")) {
      if (++handled % AT_ONCE === 0) yield;
      const entry = Buffer.concat([Buffer.from(`${folder}/`), name]);
      if (!lstatSync(entry).isDirectory()) {
        unlinkSync(entry);
        continue;
      }
      // Moving a folder writes to it, because it contains a reference to its parent.
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
