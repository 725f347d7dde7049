import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../remove-tree.ts";
import type { Finding } from "../types.ts";

/**
 * Checks the prepared dependencies of a cache. A tree without a valid description or without its packages is unusable.
 * @param repair removes unusable trees; they are prepared again on demand
 */
export async function examineTrees(cacheDirectory: string, repair: boolean): Promise<Finding[]> {
  const folder = join(cacheDirectory, "trees");
  if (!existsSync(folder)) return [];
  const found: Finding[] = [];
  for (const key of readdirSync(folder)) {
    // Trees in progress belong to a running server, or are swept at the next start.
    if (key.startsWith(".")) continue;
    const problem = problemOf(join(folder, key));
    if (problem === undefined) continue;
    if (repair) await removeTree(join(folder, key));
    found.push({
      where: "prepared dependencies",
      problem: `${key} ${problem}`,
      mended: repair ? "it is removed, and made again when it is wanted" : undefined,
    });
  }
  return found;
}

function problemOf(tree: string): string | undefined {
  try {
    JSON.parse(readFileSync(join(tree, "tree.json"), "utf8"));
  } catch {
    return "does not say what it is";
  }
  return existsSync(join(tree, "node_modules")) ? undefined : "has no packages";
}
