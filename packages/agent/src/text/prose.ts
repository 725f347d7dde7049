import { readFileSync } from "node:fs";

/** Reads a Markdown file beside the code once, when the module is loaded, without its final newline. */
export function prose(url: URL): string {
  return readFileSync(url, "utf8").trimEnd();
}
