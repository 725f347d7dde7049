import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it, each with `mode`; one that is there already is left as it is.
 * Throws what the system says. Node's own `recursive` asks for ever where a folder can be made nowhere, as below `/proc`.
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
