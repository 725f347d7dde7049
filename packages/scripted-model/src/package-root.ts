import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package: one above `src` and `dist` alike, whichever this runs from. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/** @returns the absolute path of a folder or file that lies in the package beside its code */
export function inPackage(...path: string[]): string {
  return join(ROOT, ...path);
}
