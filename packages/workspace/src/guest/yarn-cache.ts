import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Yarn 2 and newer lay out a node_modules only where they are told to. */
const LAYS_OUT = /^nodeLinker:\s*["']?(?:node-modules|pnpm)\b/m;

/**
 * Whether Yarn may keep packages in one place for all projects. Where it lays out no node_modules, programs read the
 * packages from there each time they run: they have to lie in the project then, or it would run nowhere else, and not
 * where a build is proven either.
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
