import { chmodSync, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { below, bytePath, systemPath, type BytePath } from "./byte-path.ts";
import { isDraftFolder, sweepDraftFolder } from "./left-drafts.ts";

/**
 * A repository, or a file that makes git use one when it is called in or below its folder. `bare`:
 * a folder that is itself a repository under any name, such as one of `.git/modules`.
 */
export interface FoundRepository {
  /** Relative to the root, parts joined by `/`. */
  path: BytePath;
  kind: "folder" | "file" | "link" | "bare";
  inode: number;
  /** The target, if it is a link. */
  target?: BytePath;
}

/** The content of one folder. */
export interface Listed {
  names: BytePath[];
  /** The entries that are folders, excluding links. */
  folders: BytePath[];
}

/** Number of folders read before yielding to other work. */
const AT_ONCE = 200;

/**
 * Finds all repositories below a folder, including dependencies; nested ones come first. Follows no link. Nothing may
 * be running in the folder: leftover drafts are removed.
 * @param openUp whether a folder that its owner may not read is made readable: git can use a repository in it without
 * listing it
 */
export async function findRepositories(
  root: string,
  options: { openUp: boolean },
): Promise<FoundRepository[]> {
  const base = bytePath(root);
  const found: FoundRepository[] = [];
  const rest: BytePath[] = [""];
  let read = 0;
  for (let folder = rest.pop(); folder !== undefined; folder = rest.pop()) {
    if (++read % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    // Drafts of a killed guest are not a repository.
    if (isDraftFolder(folder)) sweepDraftFolder(below(base, folder), Number.POSITIVE_INFINITY);
    const listed = listFolder(below(base, folder), options);
    for (const name of listed.folders) rest.push(below(folder, name));
    found.push(...repositoriesIn(base, folder, listed.names));
  }
  return found.sort((a, b) => depth(b.path) - depth(a.path) || (a.path < b.path ? -1 : 1));
}

/**
 * Entries of one folder that git treats as a repository. Names are case-sensitive only if the disk
 * is.
 */
export function repositoriesIn(
  root: BytePath,
  folder: BytePath,
  entries: readonly BytePath[],
): FoundRepository[] {
  const found: FoundRepository[] = [];
  const names = new Set(entries.map((name) => name.toLowerCase()));
  const look = (path: BytePath) => statOf(below(root, path));
  if (names.has(".git")) {
    const path = below(folder, ".git");
    const stat = look(path);
    const inode = stat?.ino ?? 0;
    if (stat?.isSymbolicLink()) {
      const target = readlinkSync(systemPath(below(root, path)), "latin1");
      found.push({ path, kind: "link", inode, target });
    } else if (stat) found.push({ path, kind: stat.isDirectory() ? "folder" : "file", inode });
  }
  // Every repository has a HEAD, and its other parts beside it or where `commondir` points.
  const known = folder === ".git" || folder.endsWith("/.git");
  const isComplete = names.has("commondir") || (names.has("objects") && names.has("refs"));
  if (!known && isComplete && names.has("head")) {
    const head = look(below(folder, "HEAD"));
    const stat = look(folder);
    if (head && stat && !head.isDirectory())
      found.push({ path: folder, kind: "bare", inode: stat.ino });
  }
  return found;
}

/** Lists a folder; empty if it cannot be read. */
export function listFolder(folder: BytePath, options: { openUp: boolean }): Listed {
  try {
    if (options.openUp) openUp(folder, 0o500);
    const entries = readdirSync(systemPath(folder), { withFileTypes: true, encoding: "buffer" });
    const named = entries.map((entry) => ({ entry, name: entry.name.toString("latin1") }));
    return {
      names: named.map(({ name }) => name),
      folders: named.filter(({ entry }) => entry.isDirectory()).map(({ name }) => name),
    };
  } catch {
    return { names: [], folders: [] };
  }
}

/**
 * Adds rights that a folder's owner lacks; leaves folders of other users unchanged.
 * @param rights 0o500 to list and enter it, 0o700 to change its content as well
 */
export function openUp(folder: BytePath, rights: 0o500 | 0o700): void {
  const stat = statOf(folder);
  if (!stat?.isDirectory() || (stat.mode & rights) === rights) return;
  try {
    chmodSync(systemPath(folder), (stat.mode & 0o7777) | rights);
  } catch {
    // The next operation reports the error.
  }
}

const depth = (path: BytePath) => (path === "" ? 0 : path.split("/").length);

function statOf(path: BytePath): Stats | undefined {
  try {
    return lstatSync(systemPath(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
