import { symlinkSync } from "node:fs";

/** Where compiled code is kept in a project: beside what it was compiled from, so that a prepared tree brings it. */
export const COMPILED_CODE = "node_modules/.cache/node-compile-cache";

/** Node's own name for it, in the folder for temporary files. */
const NODES_NAME = "node-compile-cache";

/**
 * Programs that ask Node to keep their compiled code (Vite does) have it kept beside their packages: a sandbox's folder
 * for temporary files is empty each time. As long as there is no such folder, nothing is kept.
 */
export function keepCompiledCode(root: string, temporary: string): void {
  try {
    symlinkSync(`${root}/${COMPILED_CODE}`, `${temporary}/${NODES_NAME}`);
  } catch {
    // It is only about speed.
  }
}
