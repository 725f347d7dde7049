import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The file in the data folder in which the person's other programs find the address of a listening server. */
const NAME = "server.json";

/**
 * Writes the server's address.
 * @returns a function that removes the file again, unless another server has written it since
 */
export function announceAddress(dataDirectory: string, url: string): () => void {
  const path = join(dataDirectory, NAME);
  const text = `${JSON.stringify({ url, pid: process.pid })}\n`;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
  return () => {
    try {
      if (readFileSync(path, "utf8") === text) rmSync(path);
    } catch {
      // Already removed, possibly with the whole folder.
    }
  };
}
