import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectFolder } from "./project-folder.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "treadle-folder-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("creates the folder to build in if its parent exists", () => {
  const folder = join(root, "todo");
  expect(projectFolder(folder)).toEqual({ made: true });
  expect(projectFolder(folder)).toEqual({ made: false });
});

it("does not create several missing levels", () => {
  expect(projectFolder(join(root, "nonexistent/foo"))).toEqual({
    wrong: expect.stringContaining(`there is no folder ${join(root, "nonexistent")}.`),
  });
  expect(existsSync(join(root, "nonexistent"))).toBe(false);
});

it("reports a file in the way", () => {
  writeFileSync(join(root, "file"), "");
  for (const path of ["file", "file/below"])
    expect(projectFolder(join(root, path))).toEqual({
      wrong: expect.stringContaining("a file is in the way"),
    });
});
