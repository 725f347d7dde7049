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

it("the folder to build in is made once, in one that is there", () => {
  const folder = join(root, "todo");
  expect(projectFolder(folder)).toEqual({ made: true });
  expect(projectFolder(folder)).toEqual({ made: false });
});

it("a path of which more is not there is not made", () => {
  expect(projectFolder(join(root, "nonexistent/foo"))).toEqual({
    wrong: expect.stringContaining(`there is no folder ${join(root, "nonexistent")}.`),
  });
  expect(existsSync(join(root, "nonexistent"))).toBe(false);
});

it("a file in the way is said", () => {
  writeFileSync(join(root, "file"), "");
  for (const path of ["file", "file/below"])
    expect(projectFolder(join(root, path))).toEqual({
      wrong: expect.stringContaining("a file is in the way"),
    });
});
