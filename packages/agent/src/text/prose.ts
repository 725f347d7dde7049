import { readFileSync } from "node:fs";

/** Reads a prose file that stands beside the code, once, as the module loads; without the final newline. */
export function prose(url: URL): string {
  return readFileSync(url, "utf8").trimEnd();
}
