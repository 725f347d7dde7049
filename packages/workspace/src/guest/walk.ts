import { readdirSync, type Dirent } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { isIgnored, isIgnoredName } from "../ignored.ts";
import { fromDisk } from "../paths.ts";

export interface Walked {
  path: ProjectPath;
  entry: Dirent;
}

/**
 * Everything below a folder that is not ignored, depth-first, folders before what they hold, sorted by name.
 * Links are shown and not entered. A folder that goes away in the meantime is as good as empty.
 */
export function* walk(root: string, under = ""): Generator<Walked> {
  // What is still to be shown, last first: a generator for each folder would cost its depth at every file.
  const rest: Walked[] = [];
  const enter = (folder: string) => {
    let entries: Dirent[];
    try {
      entries = readdirSync(folder === "" ? root : `${root}/${folder}`, { withFileTypes: true });
    } catch {
      return;
    }
    const atRoot = folder === "";
    const before = atRoot ? "" : `${folder}/`;
    entries.sort((a, b) => (a.name < b.name ? 1 : a.name > b.name ? -1 : 0));
    for (const entry of entries)
      if (!isIgnoredName(entry.name, atRoot))
        rest.push({ path: fromDisk(before + entry.name), entry });
  };
  if (!isIgnored(under)) enter(under);
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next;
    if (next.entry.isDirectory()) enter(next.path);
  }
}
