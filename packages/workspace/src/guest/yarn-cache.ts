import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Yarn 2 and newer create a node_modules only if configured to. */
const LAYS_OUT = /^nodeLinker:\s*["']?(?:node-modules|pnpm)\b/m;

/**
 * Whether Yarn may store packages in one place for all projects. Without a node_modules, programs
 * read the packages from there each time they run: they have to be in the project then, or it would
 * not run elsewhere, nor where builds are verified.
 */
export function usesGlobalCache(folder: string): boolean {
  for (let place = folder; ; place = dirname(place)) {
    try {
      return LAYS_OUT.test(readFileSync(join(place, ".yarnrc.yml"), "utf8"));
    } catch {
      if (place === dirname(place)) return false;
    }
  }
}
