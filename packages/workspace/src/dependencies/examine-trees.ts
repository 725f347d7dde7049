import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../remove-tree.ts";
import type { Finding } from "../types.ts";

/**
 * Looks at the prepared dependencies of a cache: one that does not say what it is, or has lost its packages, serves nobody.
 * @param repair removes those; what needs them prepares them anew
 */
export async function examineTrees(cacheDirectory: string, repair: boolean): Promise<Finding[]> {
  const folder = join(cacheDirectory, "trees");
  if (!existsSync(folder)) return [];
  const found: Finding[] = [];
  for (const key of readdirSync(folder)) {
    // What is being made or removed has a server of its own that looks after it, or is swept at the next start.
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
