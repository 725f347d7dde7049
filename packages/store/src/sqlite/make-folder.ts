import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it that are missing, each readable by its owner alone.
 * Part by part, since Node's own recursive `mkdir` never returns below a file system like `/proc` that answers ENOENT.
 * Throws the system's error.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !statSync(folder, { throwIfNoEntry: false }); folder = dirname(folder))
    missing.push(folder);
  for (const folder of missing.toReversed()) mkdirSync(folder, { mode: 0o700 });
}
