import type { ManagerName } from "../package-managers/managers.ts";
import {
  fits,
  holds,
  namesEveryArchive,
  readLock,
  sameEntries,
  sameText,
  type LockEntries,
} from "./lock-file.ts";
import { digestOf, type PreparedTree } from "./prepared-trees.ts";
import { canonical, countOf, eachWish, everyRange, type Wanted } from "./wanted-packages.ts";

/** Milliseconds for which the registry's answer to a package.json without a lock file is reused. */
const FRESH_MS = 24 * 60 * 60_000;

export interface TreeWish {
  manager: ManagerName;
  wanted: Wanted;
  /** Text of that manager's lock file, if the project has one. */
  lock: string | undefined;
  /** The manager's version from `packageManager`. */
  version?: string;
}

/**
 * Finds the tree that a package manager would install, or the largest one that is a part of it (`base`), which the
 * manager then completes; undefined if there is neither. `TreeOrigin` defines which trees may serve which projects.
 */
export function chooseTree(
  trees: readonly PreparedTree[],
  wish: TreeWish,
  now = Date.now(),
): { tree: PreparedTree; part: "whole" | "base" } | undefined {
  if (countOf(wish.wanted) === 0) return undefined;
  const lock = wish.lock === undefined ? undefined : readLock(wish.lock);
  // The templates' trees are npm's; without a lock file, the project has no layout of another
  // manager yet.
  const candidates = trees.filter(
    ({ manager, version, from }) =>
      (manager === wish.manager && (manager === "npm" || version === wish.version)) ||
      (wish.lock === undefined && from === "template"),
  );
  const complete = candidates
    .filter((tree) => isWhole(tree, wish, lock, now))
    .sort(nearestFirst(wish));
  if (complete[0]) return { tree: complete[0], part: "whole" };
  if (wish.manager !== "npm" || (wish.lock !== undefined && !lock)) return undefined;
  const bases = candidates.filter((tree) => isBase(tree, wish, lock, now));
  const base = bases.sort((a, b) => b.packages - a.packages || byName(a, b))[0];
  return base && { tree: base, part: "base" };
}

/**
 * A tree made from exactly this text is preferred, then one that no project influenced. Equal ones are sorted by key,
 * so the order of folder entries has no influence.
 */
function nearestFirst({ lock }: TreeWish) {
  const given = lock === undefined ? undefined : digestOf(lock);
  const rank = (tree: PreparedTree) =>
    lock !== undefined && (tree.given === given || tree.lock === lock)
      ? 0
      : tree.from === "template"
        ? 1
        : 2;
  return (a: PreparedTree, b: PreparedTree) => rank(a) - rank(b) || byName(a, b);
}

const byName = (a: PreparedTree, b: PreparedTree) => (a.key < b.key ? -1 : 1);

function isWhole(
  tree: PreparedTree,
  { manager, wanted: requested, lock: text }: TreeWish,
  lock: LockEntries | undefined,
  now: number,
): boolean {
  const sameWish = canonical(tree.wanted) === canonical(requested);
  if (text !== undefined) {
    if (sameWish && tree.given === digestOf(text)) return true;
    // The tree's own lock file, as an earlier install wrote it into a project.
    if (manager !== "npm") return sameWish && tree.lock === text;
    const own = readLock(tree.lock);
    return (
      lock !== undefined &&
      own !== undefined &&
      agree(tree, own, lock) &&
      mayServe(tree, own) &&
      sameNames(tree.wanted, requested) &&
      fitsAll(own, requested)
    );
  }
  if (tree.from === "lock") return false;
  // Install scripts can only be identified by archives, so projects without a lock file are resolved first.
  if (tree.from === "manifest") return !tree.scripts && sameWish && now - tree.madeAt < FRESH_MS;
  const own = readLock(tree.lock);
  return own !== undefined && sameNames(tree.wanted, requested) && fitsAll(own, requested);
}

/** Whether a tree contains at least half of the requested packages, and nothing else. */
function isBase(
  tree: PreparedTree,
  { wanted: requested }: TreeWish,
  lock: LockEntries | undefined,
  now: number,
): boolean {
  if ([...eachWish(requested), ...eachWish(tree.wanted)].some(({ more }) => more)) return false;
  if (placesOf(tree.wanted) !== placesOf(requested)) return false;
  if (tree.scripts && tree.from !== "template") return false;
  const own = readLock(tree.lock);
  if (!own) return false;
  const there = Object.entries(everyRange(tree.wanted));
  const asked = everyRange(requested);
  if (there.length * 2 < Object.keys(asked).length) return false;
  if (!there.every(([name]) => Object.hasOwn(asked, name))) return false;
  const ranges = Object.fromEntries(there.map(([name]) => [name, asked[name]!]));
  if (!fits(own, ranges)) return false;
  if (lock) return holds(lock, own) && mayServe(tree, own);
  if (tree.from === "template") return true;
  return (
    tree.from === "manifest" &&
    now - tree.madeAt < FRESH_MS &&
    there.every(([name, range]) => asked[name] === range)
  );
}

const mayServe = (tree: PreparedTree, own: LockEntries): boolean =>
  tree.from === "template" || namesEveryArchive(own);

/**
 * Whether a tree's lock file agrees with a project's. Files that install scripts wrote into a tree serve only projects
 * with the same lock file, which would have run the same scripts.
 */
const agree = (tree: PreparedTree, own: LockEntries, lock: LockEntries): boolean =>
  tree.scripts && tree.from !== "template" ? sameText(lock, own) : sameEntries(lock, own);

/**
 * Whether two requests name the same packages and workspaces. Other settings that influence an install, such as
 * overrides, must be equal, too.
 */
const sameNames = (a: Wanted, b: Wanted): boolean =>
  shapeOf(a) === shapeOf(b) && placesOf(a) === placesOf(b);

/** Names of the requested packages by kind of dependency, without ranges. */
const shapeOf = (requested: Wanted) =>
  canonical(
    Object.entries({ "": requested, ...requested.workspaces })
      .map(([folder, { dependencies, devDependencies, more }]) => [
        folder,
        Object.keys(dependencies).toSorted(),
        Object.keys(devDependencies).toSorted(),
        more,
      ])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );

/** Folders of the workspaces and the names by which node_modules links to them. */
const placesOf = ({ workspaces = {} }: Wanted) =>
  canonical(
    Object.fromEntries(Object.entries(workspaces).map(([folder, { name = "" }]) => [folder, name])),
  );

const fitsAll = (lock: LockEntries, requested: Wanted): boolean =>
  eachWish(requested).every(
    ({ dependencies, devDependencies }) => fits(lock, dependencies) && fits(lock, devDependencies),
  );
