import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeFolder } from "./make-folder.ts";

it("creates a folder with its parents, and leaves an existing one alone", () => {
  const root = mkdtempSync(join(tmpdir(), "folder-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  makeFolder(join(root, "a/b/c"), 0o700);
  makeFolder(join(root, "a/b/c"));
  expect(statSync(join(root, "a/b")).mode & 0o777).toBe(0o700);
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolder(join(root, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(root, "file/below"))).toThrow("ENOTDIR");
});

it.runIf(process.platform === "linux")("reports that a folder cannot be created", () => {
  expect(() => makeFolder("/proc/treadle/below")).toThrow("ENOENT");
});
