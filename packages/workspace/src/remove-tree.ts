import { chmod, rm } from "node:fs/promises";
import { removeDeep } from "./remove-deep.ts";

/** Maximum number of rounds: each makes one unreadable folder readable, and overlay leaves one per mount. */
const MAX_CLOSED = 64;

/**
 * Removes a folder with its content, including folders that their owner may not read (overlay
 * leaves one in its work folder) and folders that are nested deeper than a path can be long.
 */
export async function removeTree(path: string): Promise<void> {
  for (let round = 0; ; round++) {
    try {
      await rm(path, { recursive: true, force: true });
      return;
    } catch (error) {
      const { code, path: closed } = error as NodeJS.ErrnoException;
      if (code !== "EACCES" || closed === undefined || round === MAX_CLOSED)
        return removeDeep(path);
      await chmod(closed, 0o700);
    }
  }
}
