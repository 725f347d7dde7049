import { createHash } from "node:crypto";
import type { Side } from "./types.ts";

export const versionOf = (text: string | Uint8Array) => createHash("sha1").update(text).digest("hex"); // prettier-ignore

/**
 * A side in memory. `pause` is awaited before each answer and each change, so that other changes
 * can happen in between.
 */
export function memorySide(files: Map<string, string>, pause: () => Promise<void>): Side {
  const current = (path: string) => {
    const text = files.get(path);
    return text === undefined ? undefined : versionOf(text);
  };
  return {
    async versions() {
      await pause();
      return new Map([...files].map(([path, text]) => [path, versionOf(text)]));
    },
    async read(path) {
      await pause();
      const text = files.get(path);
      return text === undefined ? undefined : { bytes: Buffer.from(text), version: versionOf(text) }; // prettier-ignore
    },
    async write(path, { bytes }, expected) {
      await pause();
      if (current(path) !== expected) return false;
      files.set(path, Buffer.from(bytes).toString());
      return true;
    },
    async remove(path, expected) {
      await pause();
      if (current(path) !== expected) return false;
      files.delete(path);
      return true;
    },
  };
}
