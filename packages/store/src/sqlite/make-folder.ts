import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its missing parents, each accessible to its owner only. Part by part,
 * because Node's own recursive `mkdir` never returns below a file system like `/proc` that answers
 * ENOENT. Throws the system's error.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !statSync(folder, { throwIfNoEntry: false }); folder = dirname(folder))
    missing.push(folder);
  for (const folder of missing.toReversed()) mkdirSync(folder, { mode: 0o700 });
}
