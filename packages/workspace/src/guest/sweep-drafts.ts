import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isNeverOwn, TEMPORARY_PREFIX } from "../ignored.ts";
import { bytePath } from "../repositories/byte-path.ts";
import { removeOld, sweepDraftFolder } from "../repositories/left-drafts.ts";

/** Number of folders read before yielding to other work. */
const TOGETHER = 100;

/**
 * Removes the drafts of a killed guest (F7). Never rejects.
 * @param before milliseconds since 1970; newer drafts belong to a current writer
 */
export async function sweepDrafts(root: string, before: number): Promise<void> {
  const folders = [""];
  for (let seen = 1; folders.length > 0; seen++) {
    const folder = folders.pop()!;
    for (const entry of entriesOf(`${root}/${folder}`)) {
      const path = `${folder}${entry.name}`;
      const absolute = bytePath(`${root}/${path}`);
      if (entry.isDirectory()) {
        if (entry.name === TEMPORARY_PREFIX) sweepDraftFolder(absolute, before);
        else if (!isNeverOwn(entry.name)) folders.push(`${path}/`);
      } else if (entry.isFile() && entry.name.startsWith(TEMPORARY_PREFIX))
        removeOld(absolute, before);
    }
    if (seen % TOGETHER === 0) await setImmediate();
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // The folder is gone, or not readable.
    return [];
  }
}
