import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

it("makes the folders above as well, for their owner alone", () => {
  const base = mkdtempSync(join(tmpdir(), "make-folder-"));
  makeFolder(join(base, "a/b/c"));
  expect(statSync(join(base, "a/b/c")).mode & 0o777).toBe(0o700);
  makeFolder(join(base, "a/b/c"));
  rmSync(base, { recursive: true });
});

it("gives an error where a folder cannot be made, instead of trying for ever", () => {
  expect(() => makeFolder("/proc/nowhere/at/all")).toThrow();
});
