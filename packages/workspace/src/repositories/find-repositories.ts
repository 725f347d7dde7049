import { chmodSync, lstatSync, readlinkSync, type Dirent } from "node:fs";
import { readdir } from "node:fs/promises";

/**
 * Something that git obeys where it is called in or below the folder that holds it.
 * `bare`: a folder that is a repository whatever its name, such as one of `.git/modules`.
 */
export interface FoundRepository {
  /** Below the root, parts joined by `/`. */
  path: string;
  kind: "folder" | "file" | "link" | "bare";
  inode: number;
  /** Of a link. */
  target?: string;
}

/** What git takes for a repository in one folder. Names are as the disk itself finds them, so that case counts where it does there. */
export function repositoriesIn(root: string, folder: string, entries: Dirent[]): FoundRepository[] {
  const found: FoundRepository[] = [];
  const at = (name: string) => (folder === "" ? name : `${folder}/${name}`);
  const look = (path: string) =>
    lstatSync(path === "" ? root : `${root}/${path}`, { throwIfNoEntry: false });
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  if (names.has(".git")) {
    const stat = look(at(".git"));
    if (stat?.isSymbolicLink()) {
      const target = readlinkSync(`${root}/${at(".git")}`);
      found.push({ path: at(".git"), kind: "link", inode: stat.ino, target });
    } else if (stat) {
      const kind = stat.isDirectory() ? "folder" : "file";
      found.push({ path: at(".git"), kind, inode: stat.ino });
    }
  }
  // Everything that git takes for one has a HEAD, and what belongs to it there or where `commondir` says.
  const known = folder === ".git" || folder.endsWith("/.git");
  if (
    !known &&
    names.has("head") &&
    (names.has("commondir") || (names.has("objects") && names.has("refs")))
  ) {
    const head = look(at("HEAD"));
    const stat = look(folder);
    if (head && stat && !head.isDirectory())
      found.push({ path: folder, kind: "bare", inode: stat.ino });
  }
  return found;
}

/**
 * All repositories below a folder that nothing writes to meanwhile, dependencies included; those within others first.
 * Follows no link. A folder that its owner may not read is opened to them: git needs less than a list to obey what is there.
 */
export async function findRepositories(root: string): Promise<FoundRepository[]> {
  const found: FoundRepository[] = [];
  const rest = [""];
  for (let folder = rest.pop(); folder !== undefined; folder = rest.pop()) {
    const entries = await list(folder === "" ? root : `${root}/${folder}`);
    for (const entry of entries)
      if (entry.isDirectory()) rest.push(folder === "" ? entry.name : `${folder}/${entry.name}`);
    found.push(...repositoriesIn(root, folder, entries));
  }
  return found.sort((a, b) => depth(b.path) - depth(a.path) || (a.path < b.path ? -1 : 1));
}

const depth = (path: string) => (path === "" ? 0 : path.split("/").length);

async function list(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    try {
      openUp(folder);
      return await readdir(folder, { withFileTypes: true });
    } catch {
      return [];
    }
  }
}

/** Lets the owner of a folder list and change what is in it. */
export function openUp(folder: string): void {
  const stat = lstatSync(folder);
  if (stat.isDirectory()) chmodSync(folder, (stat.mode & 0o7777) | 0o700);
}
