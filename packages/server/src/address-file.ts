import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** In the data folder, while a server listens: other programs of the person find it there, with the token beside it. */
const NAME = "server.json";

/** Says where the server is. @returns what takes it back; another server's is left alone */
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
      // Gone already, perhaps with the whole folder.
    }
  };
}
