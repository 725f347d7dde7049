import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Paths where programs of a project or release, or the person, create links; the server itself
 * reads and writes everywhere else.
 */
const LINKS_IN =
  /^(?:folders\/[^/]+\/)?(?:projects\/[^/]+\/(?:releases\/\d+\/)?(?:files|state\/(?:layers|repository))|rules|skills)\/./;
/**
 * Caches of projects, which are recreated on demand. Current backups contain none; older ones did, of
 * personal folders, with links inside.
 */
const CACHE = /^(?:folders\/[^/]+\/)?projects\/[^/]+\/(?:releases\/\d+\/)?state\/cache$/;
/** The setuid and setgid bits. */
const SETS_ID = 0o6000;

/**
 * Checks an unpacked backup before anything in it is opened. A link in a place that the server writes to could lead
 * outside, and devices or programs of another account do not belong into a data folder (A85).
 * @returns the sentence that says why it is refused, or undefined if it is accepted
 */
export function faultOfRestored(folder: string): string | undefined {
  // Sets permissions regardless of the archive's, because the folder holds keys.
  chmodSync(folder, 0o700);
  const links = new Map<number, { path: string; missing: number }>();
  const waiting = [""];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop())
    for (const name of readdirSync(join(folder, below))) {
      const path = below === "" ? name : `${below}/${name}`;
      const found = lstatSync(join(folder, path));
      // Its parents were already checked to be folders, not links.
      if (found.isDirectory() && CACHE.test(path)) rmSync(join(folder, path), { recursive: true });
      else if (found.isDirectory()) waiting.push(path);
      else if (found.isSymbolicLink()) {
        if (!LINKS_IN.test(path)) return `${path} is a link, where there must be none`;
        continue;
      } else if (!found.isFile() && !isHarmless(found))
        return `${path} is a device or a socket, which no backup holds`;
      if ((found.mode & SETS_ID) !== 0 && found.isFile())
        return `${path} would run as another user`;
      if (!found.isFile() || found.nlink === 1) continue;
      const seen = links.get(found.ino) ?? { path, missing: found.nlink };
      links.set(found.ino, { ...seen, missing: seen.missing - 1 });
    }
  const out = [...links.values()].find(({ missing }) => missing > 0);
  return out && `${out.path} is one file with another that is not in it`;
}

/** A pipe, which is never opened here, or an overlay's whiteout (a device 0, 0). */
const isHarmless = (found: { isFIFO(): boolean; isCharacterDevice(): boolean; rdev: number }) =>
  found.isFIFO() || (found.isCharacterDevice() && found.rdev === 0);
