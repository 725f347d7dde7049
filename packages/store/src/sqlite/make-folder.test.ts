import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

it("creates missing parent folders as well, accessible to their owner only", () => {
  const base = mkdtempSync(join(tmpdir(), "make-folder-"));
  makeFolder(join(base, "a/b/c"));
  expect(statSync(join(base, "a/b/c")).mode & 0o777).toBe(0o700);
  makeFolder(join(base, "a/b/c"));
  rmSync(base, { recursive: true });
});

it("fails if a folder cannot be created, instead of retrying forever", () => {
  expect(() => makeFolder("/proc/nowhere/at/all")).toThrow();
});
