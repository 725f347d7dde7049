import { chmodSync, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { below, bytePath, systemPath, type BytePath } from "./byte-path.ts";
import { isDraftFolder, sweepDraftFolder } from "./left-drafts.ts";

/**
 * A repository, or a file that makes git use one, wherever git is called in or below its folder. `bare`: a folder that
 * is a repository itself under any name, such as one of `.git/modules`.
 */
export interface FoundRepository {
  /** Below the root, parts joined by `/`. */
  path: BytePath;
  kind: "folder" | "file" | "link" | "bare";
  inode: number;
  /** Of a link. */
  target?: BytePath;
}

/** What is in one folder. */
export interface Listed {
  names: BytePath[];
  /** Those of them that are folders and no links. */
  folders: BytePath[];
}

/** Folders that are read before others get their turn. */
const AT_ONCE = 200;

/**
 * All repositories below a folder, dependencies included; those within others first. Follows no link. Nothing may be running
 * inside: drafts that are left there are taken away.
 * @param openUp whether a folder that its owner may not look into is opened to them: git needs less than a list to obey
 * what is there
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
    // What a guest that was killed has left is no repository.
    if (isDraftFolder(folder)) sweepDraftFolder(below(base, folder), Number.POSITIVE_INFINITY);
    const listed = listFolder(below(base, folder), options);
    for (const name of listed.folders) rest.push(below(folder, name));
    found.push(...repositoriesIn(base, folder, listed.names));
  }
  return found.sort((a, b) => depth(b.path) - depth(a.path) || (a.path < b.path ? -1 : 1));
}

/** What git takes for a repository in one folder. Names are as the disk itself finds them: case counts where it does there. */
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
  // Everything that git takes for one has a HEAD, and what belongs to it there or where `commondir` says.
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

/** Nothing where it cannot be read. */
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
 * Gives the owner of a folder these rights where they are missing; a folder of somebody else's stays as it is.
 * @param rights 0o500 to list it and reach what is in it, 0o700 to change that as well
 */
export function openUp(folder: BytePath, rights: 0o500 | 0o700): void {
  const stat = statOf(folder);
  if (!stat?.isDirectory() || (stat.mode & rights) === rights) return;
  try {
    chmodSync(systemPath(folder), (stat.mode & 0o7777) | rights);
  } catch {
    // What is tried next says what there is to say.
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
