import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its parents, each with `mode`; existing ones are left unchanged. Throws
 * system errors. Node's own `recursive` loops forever if no folder can be created, as below
 * `/proc`.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== "ENOENT" || above === path) throw error;
    makeFolder(above, mode);
    mkdirSync(path, { mode });
  }
}
