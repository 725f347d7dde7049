import { randomBytes } from "node:crypto";
import { link, lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises"; // prettier-ignore
import { dirname, join } from "node:path";
import { readProjectPath } from "@treadle/protocol/project-path";
import { makeFolder } from "@treadle/common/make-folder";
import { createScan, readPlainFile } from "./scan-folder.ts";
import { SyncRefused, type Side } from "./types.ts";

/** Treadle's own folder inside a synchronized folder; it is not synchronized. */
export const OWN = ".treadle-sync";

interface FolderSide extends Side {
  /** Deletes the files that were moved aside. One that an editor wrote to meanwhile is first put back, or beside. */
  settle(): Promise<void>;
}

/**
 * A folder on the user's machine. A file that is replaced or removed is first moved aside and
 * checked there, so that a change that an editor saved in between is found and restored. If the
 * program or the machine stops halfway, the next start restores the file.
 * @param isIncluded which paths are synchronized
 */
export async function openFolderSide(
  root: string,
  isIncluded: (path: string) => boolean,
  onLeftOut: (path: string, why: string) => void,
): Promise<FolderSide> {
  const own = join(root, OWN);
  const aside = join(own, "aside");
  await mkdir(aside, { recursive: true });
  // The user's git ignores this folder.
  await writeFile(join(own, ".gitignore"), "*\n");
  const scan = createScan(root, (path) => path !== OWN && isIncluded(path), onLeftOut);
  /**
   * Files that were moved aside, by their path aside: the original path and the expected version.
   */
  const known = new Map<string, { path: string; version: string }>();

  /**
   * @throws SyncRefused if the path leads through a link or something that is not a folder: nothing
   * outside the folder is ever touched
   */
  async function placeOf(path: string): Promise<string> {
    const read = readProjectPath(path);
    if (!read.ok || read.path === "") throw new SyncRefused("no file can have that name");
    let walked = root;
    const parts = read.path.split("/");
    for (const [index, part] of parts.entries()) {
      walked = join(walked, part);
      const found = await lstat(walked).catch(() => undefined);
      if (!found) continue;
      const isLast = index === parts.length - 1;
      if (found.isSymbolicLink()) throw new SyncRefused(`${part} is a link in the folder`);
      if (isLast ? !found.isFile() : !found.isDirectory())
        throw new SyncRefused(
          `${part} is ${found.isDirectory() ? "a folder" : "not a folder"} there`,
        );
    }
    return walked;
  }

  /**
   * Puts a file back if its path is free.
   * @returns false if the path is taken
   */
  async function putBack(from: string, file: string): Promise<boolean> {
    makeFolder(dirname(file));
    try {
      await link(from, file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
      // The file system has no hard links.
      if (await lstat(file).catch(() => undefined)) return false;
      await rename(from, file);
    }
    await rm(from, { force: true });
    return true;
  }

  /**
   * A file that was moved aside and has unexpected content is the user's work: it is moved back, or
   * placed beside the new file.
   */
  async function giveBack(from: string, path: string): Promise<void> {
    const file = join(root, path);
    if (await putBack(from, file)) return;
    const version = (await readPlainFile(from))?.version ?? randomBytes(4).toString("hex");
    for (let name = `${file}.conflict-${version.slice(0, 8)}`; ; name += "-") if (await putBack(from, name)) return; // prettier-ignore
  }

  /** Moves a file aside. @returns its new path, or undefined if it has unexpected content and was left in place */
  async function setAside(
    file: string,
    path: string,
    expected: string,
  ): Promise<string | undefined> {
    // prettier-ignore
    if ((await readPlainFile(file))?.version !== expected) return undefined;
    const name = join(aside, randomBytes(8).toString("hex"));
    await writeFile(`${name}.json`, JSON.stringify({ path, version: expected }), { flush: true });
    try {
      await rename(file, name);
    } catch (error) {
      await rm(`${name}.json`, { force: true });
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    if ((await readPlainFile(name))?.version === expected) return name;
    await giveBack(name, path);
    await rm(`${name}.json`, { force: true });
    return undefined;
  }

  async function settle(): Promise<void> {
    for (const [name, { path, version }] of known) {
      // An editor that had the file open wrote to it after it was moved.
      if ((await readPlainFile(name))?.version !== version) await giveBack(name, path);
      await rm(name, { force: true });
      await rm(`${name}.json`, { force: true });
      known.delete(name);
    }
  }

  /** Runs after a crash halfway: moves files back to their paths unless these are taken. */
  async function recover(): Promise<void> {
    for (const entry of await readdir(aside)) {
      if (!entry.endsWith(".json")) continue;
      const name = join(aside, entry.slice(0, -".json".length));
      const { path, version } = JSON.parse(await readFile(`${name}.json`, "utf8")) as { path: string; version: string }; // prettier-ignore
      const found = await readPlainFile(name);
      // If the file cannot be moved back, it stays aside.
      const file = await placeOf(path).catch(() => undefined);
      if (found && file === undefined) continue;
      if (found && found.version !== version) await giveBack(name, path);
      else if (found) await putBack(name, file!);
      for (const one of [name, `${name}.json`]) await rm(one, { force: true });
    }
    // The draft's content comes from the project, so it can be deleted.
    for (const entry of await readdir(aside))
      if (entry.endsWith(".draft")) await rm(join(aside, entry), { force: true });
  }
  await recover();

  async function write(
    path: string,
    bytes: Uint8Array,
    expected: string | undefined,
  ): Promise<boolean> {
    // prettier-ignore
    const file = await placeOf(path);
    const draft = join(aside, `${randomBytes(8).toString("hex")}.draft`);
    const mode = (await lstat(file).catch(() => undefined))?.mode;
    try {
      const opened = await open(draft, "wx", mode === undefined ? 0o666 : mode & 0o777);
      try {
        await opened.writeFile(bytes);
        await opened.sync();
      } finally {
        await opened.close();
      }
      const was = expected === undefined ? undefined : await setAside(file, path, expected);
      if (expected !== undefined && was === undefined) return false;
      const isWritten = await putBack(draft, file);
      await syncFolder(dirname(file));
      if (was !== undefined) known.set(was, { path, version: expected! });
      return isWritten;
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function remove(path: string, expected: string): Promise<boolean> {
    const was = await setAside(await placeOf(path), path, expected);
    if (was === undefined) return false;
    known.set(was, { path, version: expected });
    // Removes folders that are empty now.
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
      if (!(await rmdir(join(root, folder)).then(() => true, () => false))) break; // prettier-ignore
    return true;
  }

  return {
    settle,
    async versions(elsewhere) {
      await settle();
      return scan(elsewhere);
    },
    read: async (path) => readPlainFile(await placeOf(path)),
    write: (path, { bytes }, expected) => orRefused(write(path, bytes, expected)),
    remove: (path, expected) => orRefused(remove(path, expected)),
  };
}

/** Converts the system's error about one file (permissions, name, full disk), so that the others are still written. */
async function orRefused<T>(doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    if (error instanceof SyncRefused || !(error as NodeJS.ErrnoException).code) throw error;
    throw new SyncRefused((error as Error).message);
  }
}

/** Flushes the folder, so that the new name survives a power failure. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  // Not every system can flush a folder.
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
