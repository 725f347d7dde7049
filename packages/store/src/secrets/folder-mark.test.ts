import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { folderMark } from "./folder-mark.ts";

it("a renamed data folder keeps its mark, and a copy has a different one", () => {
  const root = mkdtempSync(join(tmpdir(), "treadle-mark-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [first, renamed, copy] = ["first", "renamed", "copy"].map((name) => join(root, name));
  cpSync(mkdtempSync(join(root, "empty-")), first!, { recursive: true });
  const mark = folderMark(first!);
  expect(folderMark(first!)).toBe(mark);
  cpSync(first!, copy!, { recursive: true, preserveTimestamps: true });
  renameSync(first!, renamed!);
  expect(folderMark(renamed!)).toBe(mark);
  expect(folderMark(copy!)).not.toBe(mark);
});
