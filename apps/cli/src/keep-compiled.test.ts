import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { keepCompiled } from "./keep-compiled.ts";

it("compiled code is stored where only its owner can read and write, or nowhere", () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-compiled-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "file"), "");
  keepCompiled(join(folder, "file"), {});
  expect(getCompileCacheDir()).toBeUndefined();
  keepCompiled(join(folder, "data"), {});
  expect(getCompileCacheDir()).toContain(join(folder, "data/cache/compiled"));
  for (const path of ["data", "data/cache", "data/cache/compiled"])
    expect(statSync(join(folder, path)).mode & 0o077).toBe(0);
});
