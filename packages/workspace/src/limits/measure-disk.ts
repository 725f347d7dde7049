import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const MEASURE_MS = 120_000;
/**
 * Minimum space that an empty file or folder takes: a million of them can fill a file system as
 * well.
 */
const ENTRY_BYTES = 4_096;
/** The unit of `stat`. */
const BLOCK = 512;
/** Number of descriptors read before yielding to other work. */
const DESCRIPTORS = 8_192;

/**
 * Disk usage of folders in bytes; links are not followed, and hard links are counted once. Measures
 * from outside of the sandbox, where its mounts are not visible: prepared dependencies are not the
 * project's.
 */
export async function measureFolders(folders: readonly string[]): Promise<number> {
  if (process.platform !== "linux") return measureByWalking(folders);
  const [bytes, entries] = await Promise.all([
    total(["--block-size=1", ...folders]),
    total(["--inodes", ...folders]),
  ]);
  return Math.max(bytes, entries * ENTRY_BYTES);
}

/** Measures without GNU `du`: slower, but yields to other users of the processor. */
export async function measureByWalking(folders: readonly string[]): Promise<number> {
  const linked = new Set<number>();
  let bytes = 0;
  let entries = 0;
  const rest = [...folders];
  for (let path = rest.pop(); path !== undefined; path = rest.pop()) {
    const stat = await lstat(path).catch(() => undefined);
    if (!stat) continue;
    if (stat.isFile() && stat.nlink > 1) {
      if (linked.has(stat.ino)) continue;
      linked.add(stat.ino);
    }
    entries++;
    // Windows does not report blocks.
    bytes += stat.blocks ? stat.blocks * BLOCK : stat.size;
    if (!stat.isDirectory()) continue;
    const names = await readdir(path).catch(() => []);
    for (const name of names) rest.push(join(path, name));
  }
  return Math.max(bytes, entries * ENTRY_BYTES);
}

async function total(words: string[]): Promise<number> {
  // Runs at the project's own priority, because a busy project could otherwise write faster than it is measured.
  const args = ["-scx", ...words];
  const options = { timeout: MEASURE_MS, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  // Files that disappear meanwhile make `du` print errors, but its last line still has the total.
  const { stdout } = await run("du", args, options).catch((error: { stdout?: string }) => ({
    stdout: error.stdout ?? "",
  }));
  return Number(/^(\d+)\s+total$/m.exec(stdout)?.[1] ?? 0);
}

/**
 * Size of deleted files that are still open, on the file system of `folder`: they are in no folder.
 */
export function measureUnnamed(pids: readonly number[], folder: string): number {
  const counted = new Set<number>();
  let bytes = 0;
  let left = DESCRIPTORS;
  try {
    const { dev } = statSync(folder);
    for (const pid of pids)
      for (const fd of names(`/proc/${pid}/fd`)) {
        if (left-- === 0) return bytes;
        const stat = statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
        if (!stat?.isFile() || stat.nlink > 0 || stat.dev !== dev || counted.has(stat.ino))
          continue;
        counted.add(stat.ino);
        bytes += stat.blocks * BLOCK;
      }
  } catch {
    // The folder or a process disappeared meanwhile.
  }
  return bytes;
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
