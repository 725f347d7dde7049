import { createHash } from "node:crypto";
import type { ProjectPath } from "@treadle/protocol";
import { folderOf, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import type { ManifestEntry } from "../wire/requests.ts";
import type { StoredObject } from "./pack-file.ts";

interface Entry {
  mode: string;
  hash: string;
  /** The name by which git sorts the entry: that of a folder ends with `/`. */
  sort: string;
  name: string;
}

/** The trees from the last call by folder: most are unchanged the next time. */
export type KnownTrees = Map<ProjectPath, { text: string; hash: string }>;

/**
 * Converts a manifest to git trees. Does not use git's index, which silently leaves out entries
 * that git would not check out everywhere (a `.gitmodules` that is a link, a name that is
 * equivalent to `.git` on another file system).
 * @param known trees of the last call; updated
 * @param isStored whether a tree is already stored, and so left out
 * @returns the trees that are not stored, and the id of the root tree
 */
export function treesOf(
  manifest: readonly ManifestEntry[],
  known: KnownTrees,
  isStored: (hash: string) => boolean,
): { trees: StoredObject[]; root: string } {
  const folders = new Map<ProjectPath, Entry[]>([[PROJECT_FOLDER, []]]);
  const holder = (folder: ProjectPath): Entry[] => {
    const there = folders.get(folder);
    if (there) return there;
    const made: Entry[] = [];
    folders.set(folder, made);
    holder(folderOf(folder));
    return made;
  };
  let [lastFolder, last] = [PROJECT_FOLDER, folders.get(PROJECT_FOLDER)!];
  for (const { path, mode, hash } of manifest) {
    const folder = folderOf(path);
    if (folder !== lastFolder) [lastFolder, last] = [folder, holder(folder)];
    const name = nameOf(path);
    last.push({ mode, hash, sort: name, name });
  }

  const trees: StoredObject[] = [];
  const given = new Set<string>();
  let root = "";
  // The deepest folders come first, because the tree of a folder contains the ids of the trees in it.
  const deepest = [...folders.keys()].map((folder) => ({ folder, depth: depth(folder) }));
  for (const { folder } of deepest.sort((a, b) => b.depth - a.depth)) {
    const entries = folders.get(folder)!;
    const text = entries.map(({ mode, hash, name }) => `${mode} ${hash} ${name}\0`).join("");
    const before = known.get(folder);
    let hash = before?.text === text ? before.hash : undefined;
    if (hash === undefined || !(given.has(hash) || isStored(hash))) {
      const bytes = treeBytes(entries);
      hash = createHash("sha1").update(`tree ${bytes.length}\0`).update(bytes).digest("hex");
      if (!given.has(hash) && !isStored(hash)) trees.push({ type: "tree", hash, bytes });
      given.add(hash);
      known.set(folder, { text, hash });
    }
    if (folder === PROJECT_FOLDER) root = hash;
    else {
      const name = nameOf(folder);
      folders.get(folderOf(folder))!.push({ mode: "40000", hash, sort: `${name}/`, name });
    }
  }
  for (const folder of known.keys()) if (!folders.has(folder)) known.delete(folder);
  return { trees, root };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const depth = (folder: string) => (folder === "" ? 0 : folder.split("/").length);

// oxlint-disable-next-line no-control-regex -- what is one byte in UTF-8
const PLAIN = /^[\u0000-\u007f]*$/;

/** Sorts by bytes, as git does; ASCII strings compare equally without conversion. */
function treeBytes(entries: readonly Entry[]): Buffer {
  const isPlain = entries.every(({ sort }) => PLAIN.test(sort));
  const sorted = isPlain
    ? entries.toSorted((a, b) => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : 0))
    : entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.sort), Buffer.from(b.sort)));
  return Buffer.concat(
    sorted.flatMap(({ mode, name, hash }) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(hash, "hex"),
    ]),
  );
}
