import { readdirSync, type Dirent } from "node:fs";
import { isIgnored } from "../ignored.ts";

export interface Walked {
  path: string;
  entry: Dirent;
}

/**
 * Everything below a folder that is not ignored, depth-first, folders before what they hold, sorted by name.
 * Links are shown and not entered. A folder that goes away in the meantime is as good as empty.
 */
export function* walk(root: string, under = ""): Generator<Walked> {
  let entries: Dirent[];
  try {
    entries = readdirSync(under === "" ? root : `${root}/${under}`, { withFileTypes: true });
  } catch {
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const entry of entries) {
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    if (isIgnored(path)) continue;
    yield { path, entry };
    if (entry.isDirectory()) yield* walk(root, path);
  }
}
