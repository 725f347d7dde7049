import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { changesSince, SinceError } from "./changes-since.ts";

let folder: string;
const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: folder });
const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-since-test-"));
  git("init", "-q", "-b", "main");
  mkdirSync(join(folder, "app"));
  write("app/a.js", "one\ntwo\nthree\n");
  write("app/same.js", "same\n");
  write("outside.js", "x\n");
  git("add", "-A");
  git("commit", "-qm", "first");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("lists the lines that differ from a commit, including new and uncommitted files", async () => {
  write("app/a.js", "one\nTWO\nthree\nfour\n");
  write("app/new.js", "new\n");
  write("outside.js", "y\n");
  write(".gitignore", "hidden.js\n");
  write("app/hidden.js", "h\n");
  const changes = await changesSince(join(folder, "app"), "main");
  expect(changes.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    {
      path: "a.js",
      kind: "changed",
      binary: false,
      diff: expect.stringMatching(/^@@ -2 \+2 @@.*\n-two\n\+TWO\n@@ -3,0 \+4 @@.*\n\+four\n$/),
    },
    {
      path: "new.js",
      kind: "added",
      binary: false,
      diff: expect.stringMatching(/^@@ -0,0 \+1 @@\n\+new\n$/),
    },
  ]);
});

it("ignores different line ends", async () => {
  write("app/a.js", "one\r\ntwo\r\nthree\r\n");
  expect(await changesSince(folder, "HEAD")).toEqual([]);
});

it("reports that there is no such commit, or no repository", async () => {
  await expect(changesSince(folder, "none")).rejects.toThrow(SinceError);
  await expect(changesSince(folder, "--help")).rejects.toThrow(SinceError);
});

it("runs nothing named in the repository's own settings", async () => {
  const mark = join(folder, "ran");
  for (const [name, value] of [
    ["core.fsmonitor", `touch ${mark}`],
    ["diff.external", `touch ${mark}`],
    ["filter.x.clean", `touch ${mark}`],
    ["core.pager", `touch ${mark}`],
  ])
    git("config", name!, value!);
  write(".gitattributes", "* filter=x diff=x\n");
  write("app/a.js", "other\n");
  expect((await changesSince(folder, "main")).length).toBeGreaterThan(0);
  expect(existsSync(mark)).toBe(false);
});
