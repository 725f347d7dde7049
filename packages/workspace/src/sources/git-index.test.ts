import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readGitIndex } from "./git-index.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "treadle-index-"))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const git = (...words: string[]) => execFileSync("git", words, { cwd: root, stdio: "pipe" });
const PATHS = [
  "a.txt",
  "src/coverage/plan.js",
  "src/coverage/ümlaut.js",
  "src/z",
  `deep/${"x".repeat(200)}`,
];

it.each([2, 3, 4])("reads tracked files from an index of version %i", (version) => {
  git("init", "-q");
  for (const path of PATHS) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "x");
  }
  git("add", ".");
  git("update-index", "--index-version", String(version));
  // Version 3 is written only if an entry needs it.
  if (version === 3) git("update-index", "--skip-worktree", "a.txt");
  writeFileSync(join(root, "src/untracked.js"), "x");
  const index = readFileSync(join(root, ".git/index"));
  expect(index.readUInt32BE(4)).toBe(version);
  const tracked = readGitIndex(index);
  expect(PATHS.filter((path) => !tracked.has(path))).toEqual([]);
  expect(tracked.has("src/untracked.js")).toBe(false);
  expect(["src", "src/coverage", "deep"].every((folder) => tracked.hasBelow(folder))).toBe(true);
  expect(["sr", "src/cover", "a.txt", "z"].some((folder) => tracked.hasBelow(folder))).toBe(false);
});

it("accepts any bytes as an index without an error", () => {
  git("init", "-q");
  writeFileSync(join(root, "a"), "x");
  git("add", ".");
  const index = readFileSync(join(root, ".git/index"));
  expect(readGitIndex(index.subarray(0, 40)).has("a")).toBe(false);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const claimed = Buffer.concat([index.subarray(0, 8), Buffer.from(bytes)]);
      expect(readGitIndex(claimed).has("nothing")).toBe(false);
    }),
  );
});
