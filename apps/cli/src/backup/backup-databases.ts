import { lstat, mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { BESIDE_SQLITE, isSqliteFile } from "@treadle/protocol/project-path";
import { openInside } from "../folders/open-inside.ts";

/** Files beside a database that hold part of its data. SQLite recreates the others when it opens the database. */
const HELD_BESIDE = BESIDE_SQLITE.slice(0, 2);
/** Names of folders without data of the app. */
const SKIPPED = new Set(["node_modules", ".git"]);

/** Maximum number of attempts to copy a database that is written to meanwhile. */
const TRIES = 40;
/**
 * Pause between two attempts in milliseconds, and the minimum age of a change whose time
 * distinguishes it from a later one.
 */
const PAUSE = 50;
const SETTLED = 20;

/**
 * The databases of the apps in a data folder, of previews and of releases, as relative paths with
 * `/`.
 */
export async function findAppDatabases(
  data: string,
  folders: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders)
    for (const project of await namesIn(join(data, folder, "projects"))) {
      const own = `${folder}projects/${project}`;
      await collect(data, `${own}/files`, found);
      for (const release of await namesIn(join(data, own, "releases")))
        await collect(data, `${own}/releases/${release}/files`, found);
    }
  return found;
}

async function collect(data: string, folder: string, found: string[]): Promise<void> {
  const entries = await readdir(join(data, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile() && isSqliteFile(entry.name)) found.push(path);
    // Links are not followed: their targets do not belong to the app.
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) await collect(data, path, found);
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** A database with the files beside it while it is open. */
export const withBeside = (path: string): string[] => [
  path,
  ...BESIDE_SQLITE.map((end) => path + end),
];

/**
 * Copies a database with its side files in a consistent state, which SQLite recovers on the next opening. The database
 * is not opened here, because generated code has written it. Instead it is copied again until nothing was written during
 * a copy.
 * @param path relative to both folders
 * @returns the copied paths, and whether the copy is consistent; no paths if the database no longer exists
 */
export async function copyDatabase(
  path: string,
  { from, to }: { from: string; to: string },
): Promise<{ paths: string[]; isConsistent: boolean }> {
  const all = [path, ...HELD_BESIDE.map((end) => path + end)];
  await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
  for (let tries = 1; ; tries++) {
    const before = await momentsOf(from, all);
    const paths: string[] = [];
    for (const one of all) if (await copyFile(one, { from, to })) paths.push(one);
    const after = await momentsOf(from, all);
    const isConsistent = before.settled && before.text === after.text;
    if (isConsistent || tries === TRIES)
      return { paths: paths.includes(path) ? paths : [], isConsistent };
    await wait(PAUSE);
  }
}

/**
 * The state of the files as text that differs after any change except a very recent one. Uses the system's change time
 * (ctime), because an app can set the modification time to any value.
 */
async function momentsOf(folder: string, paths: readonly string[]) {
  const now = Date.now();
  let settled = true;
  const parts: string[] = [];
  for (const path of paths) {
    const found = await lstat(join(folder, path), { bigint: true }).catch(() => undefined);
    if (found && Number(found.ctimeNs / 1_000_000n) > now - SETTLED) settled = false;
    parts.push(found ? `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : "none");
  }
  return { settled, text: parts.join("\n") };
}

/** Copies one file. @returns whether it exists; links, and files behind links, do not count */
async function copyFile(
  path: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const source = await openInside(from, path);
  if (!source) return false;
  try {
    const found = await source.stat();
    const target = await open(join(to, path), "w", 0o600);
    try {
      await target.writeFile(source.createReadStream({ autoClose: false }));
      // Only root can preserve the owner.
      await target.chown(found.uid, found.gid).catch(() => undefined);
      await target.chmod(found.mode & 0o7777);
      await target.utimes(found.atime, found.mtime);
    } finally {
      await target.close();
    }
    return true;
  } finally {
    await source.close();
  }
}
