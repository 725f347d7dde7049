/** Loads the conformance cases, which are kept beside the repository and not in it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, test } from "vitest";

/** Chunk sizes for which every parser case must give the same result. */
export const PIECE_SIZES = [1, 2, 3, 7, 16, Number.MAX_SAFE_INTEGER];

const folder = process.env["TREADLE_CONFORMANCE"] ?? findFolder();

/** Runs `body` with the cases of a file; without the folder, a single test says so. */
export function describeCases<T>(file: string, body: (cases: T) => void): void {
  const path = folder === undefined ? undefined : join(folder, file);
  describe(file, () => {
    if (path === undefined || !existsSync(path)) {
      test("the shared conformance folder is absent: its cases were NOT run", () => {});
      return;
    }
    body(JSON.parse(readFileSync(path, "utf8")) as T);
  });
}

/** Splits a text into chunks of at most `size` characters. */
export function piecesOf(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

function findFolder(): string | undefined {
  let at = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(at, "..", "shared", "conformance");
    if (existsSync(candidate)) return candidate;
    const up = dirname(at);
    if (up === at) return undefined;
    at = up;
  }
}
