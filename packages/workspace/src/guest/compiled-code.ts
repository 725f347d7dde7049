import { symlinkSync } from "node:fs";

/**
 * The folder for compiled code in a project: beside the packages, so that a prepared tree includes
 * it.
 */
export const COMPILED_CODE = "node_modules/.cache/node-compile-cache";

/** Node's own name for it in the temporary folder. */
const NODES_NAME = "node-compile-cache";

/**
 * Makes programs that use Node's compile cache (Vite does) write it beside their packages, because
 * a sandbox's temporary folder is empty at each start. Nothing is cached until that folder exists.
 */
export function keepCompiledCode(root: string, temporary: string): void {
  try {
    symlinkSync(`${root}/${COMPILED_CODE}`, `${temporary}/${NODES_NAME}`);
  } catch {
    // Only speed depends on it.
  }
}
