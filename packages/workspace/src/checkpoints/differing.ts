import type { ProjectPath } from "@treadle/protocol";
import { folderOf, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { fromDisk } from "../paths.ts";
import type { ManifestEntry } from "../wire/requests.ts";
import type { KnownTrees } from "./git-trees.ts";

/** The changes needed to turn files into those of a tree. */
export interface Differing {
  /** Files of the tree that are missing or different. */
  changed: ManifestEntry[];
  gone: ProjectPath[];
}

/** @param target all files of the tree */
export function differing(
  now: readonly ManifestEntry[],
  target: readonly ManifestEntry[],
): Differing {
  const there = new Map(now.map((entry) => [entry.path, entry]));
  const names = new Set(target.map(({ path }) => path));
  return {
    changed: target.filter((entry) => {
      const found = there.get(entry.path);
      return found?.hash !== entry.hash || found.mode !== entry.mode;
    }),
    gone: now.map(({ path }) => path).filter((path) => !names.has(path)),
  };
}

/**
 * Like `differing`, but reads only the folders whose trees differ.
 * @param trees of the current files
 * @param read returns the content of a tree; undefined if it cannot be read
 * @returns undefined if a tree could not be read
 */
export function differingFrom(
  now: readonly ManifestEntry[],
  trees: KnownTrees,
  root: string,
  read: (hash: string) => Buffer | undefined,
): Differing | undefined {
  const target: ManifestEntry[] = [];
  const looked = new Set<ProjectPath>();
  const same: ProjectPath[] = [];
  const rest = [{ folder: PROJECT_FOLDER, hash: root }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { folder, hash } = next;
    if (trees.get(folder)?.hash === hash) {
      same.push(folder);
      continue;
    }
    looked.add(folder);
    const bytes = read(hash);
    const entries = bytes && entriesOf(bytes);
    if (!entries) return undefined;
    for (const entry of entries) {
      const path = fromDisk(folder === "" ? entry.name : `${folder}/${entry.name}`);
      if (entry.mode === "40000") rest.push({ folder: path, hash: entry.hash });
      else target.push({ path, mode: entry.mode as ManifestEntry["mode"], hash: entry.hash });
    }
  }
  const unchanged = new Set(same);
  /** Whether a folder is unchanged, or is in an unchanged one. */
  const known = new Map<ProjectPath, boolean>();
  const isSame = (folder: ProjectPath): boolean => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const is =
      unchanged.has(folder) ||
      (!looked.has(folder) && folder !== PROJECT_FOLDER && isSame(folderOf(folder)));
    known.set(folder, is);
    return is;
  };
  return differing(
    now.filter(({ path }) => !isSame(folderOf(path))),
    target,
  );
}

/** Parses a tree of git: mode, name and id of each entry. Undefined if it is invalid. */
function entriesOf(tree: Buffer): { mode: string; name: string; hash: string }[] | undefined {
  const found: { mode: string; name: string; hash: string }[] = [];
  for (let at = 0; at < tree.length;) {
    const blank = tree.indexOf(32, at);
    const end = tree.indexOf(0, blank);
    if (blank === -1 || end === -1 || end + 21 > tree.length) return undefined;
    const hash = tree.toString("hex", end + 1, end + 21);
    found.push({
      mode: tree.toString("latin1", at, blank),
      name: tree.toString("utf8", blank + 1, end),
      hash,
    });
    at = end + 21;
  }
  return found;
}
