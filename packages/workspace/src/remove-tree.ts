import { chmod, rm } from "node:fs/promises";
import { removeDeep } from "./remove-deep.ts";

/** Each round opens one closed folder; overlay leaves one a mount. */
const MAX_CLOSED = 64;

/**
 * Removes a folder with all it holds, also folders that their owner may not look into (overlay leaves such a one in its
 * work folder, and only root sees past that), and those that are nested deeper than a path can tell.
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
