import { readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../remove-tree.ts";
import type { PreparedTree, PreparedTrees } from "./prepared-trees.ts";

/** The default limit in megabytes: the templates' trees take about 1 GB; the rest is for projects' trees. */
const DEFAULT_MB = 8_192;
/**
 * Age at which trees for another version of Node or of Treadle are removed; they do not count
 * towards this server's limit.
 */
const FOREIGN_MS = 30 * 24 * 60 * 60_000;
/** Minimum limit in megabytes: a lower one would remove trees that were just prepared. */
const LEAST_MB = 64;

export const LIMIT_VARIABLE = "TREADLE_DEPENDENCY_CACHE_MB";

/**
 * The total size limit of prepared trees in bytes. An invalid number of megabytes means the
 * default.
 */
export function treeLimit(env: Record<string, string | undefined>): number {
  const megabytes = Number(env[LIMIT_VARIABLE] ?? "");
  const given = Number.isFinite(megabytes) && megabytes > 0 ? megabytes : DEFAULT_MB;
  return Math.max(given, LEAST_MB) * 1024 * 1024;
}

/** Total size of prepared trees in bytes. */
export const treeBytes = (trees: readonly PreparedTree[]): number =>
  trees.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Removes trees until the rest is within the limit: those of projects before those of templates,
 * least recently used first, and none that any server uses. A stopped project whose tree was
 * removed gets it prepared again.
 */
export async function keepWithin(trees: PreparedTrees, limit: number): Promise<void> {
  const there = trees.all();
  const known = new Set(there.map(({ key }) => key));
  for (const key of readdirSync(trees.folder))
    if (!key.startsWith(".") && !known.has(key) && Date.now() - usedAt(trees, key) > FOREIGN_MS)
      await removeUnused(trees, key);
  let bytes = treeBytes(there);
  if (bytes <= limit) return;
  const order = there
    .map((tree) => ({
      tree,
      rank: tree.from === "template" ? 1 : 0,
      usedAt: usedAt(trees, tree.key),
    }))
    .sort((a, b) => a.rank - b.rank || a.usedAt - b.usedAt);
  for (const { tree } of order) {
    if (bytes <= limit) return;
    if (await removeUnused(trees, tree.key)) bytes -= tree.bytes;
  }
}

function usedAt(trees: PreparedTrees, key: string): number {
  return statSync(join(trees.folder, key, "tree.json"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Removes a tree unless a server uses it; returns whether it did. Renames the tree first and then checks for users, so
 * that no new user can start in between.
 */
async function removeUnused(trees: PreparedTrees, key: string): Promise<boolean> {
  const place = join(trees.folder, key);
  const aside = join(trees.folder, `.removing-${key}-${process.pid}`);
  if (isHeld(place)) return false;
  try {
    renameSync(place, aside);
  } catch {
    return false;
  }
  if (isHeld(aside)) {
    renameSync(aside, place);
    trees.forget();
    return false;
  }
  trees.forget();
  await removeTree(aside);
  return true;
}

function isHeld(place: string): boolean {
  try {
    return readdirSync(join(place, "held-by")).some((pid) => isAlive(Number(pid)));
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
