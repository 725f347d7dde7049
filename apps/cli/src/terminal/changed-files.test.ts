import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { changedFiles } from "./changed-files.ts";

const file = (path: string, diff: string, kind: "added" | "changed" | "removed" = "changed") => ({
  path: toProjectPath(path),
  kind,
  diff,
  binary: false,
});

it("lists what a run did to each file", () => {
  const summary = changedFiles([
    file("src/App.tsx", "@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n"),
    file("new.ts", "@@ -0,0 +1 @@\n+x\n", "added"),
    file("old.ts", "@@ -1 +0,0 @@\n-x\n", "removed"),
    { ...file("a.png", ""), binary: true },
  ]);
  expect(summary).toBe(`
Changed 4 files:
  ~ src/App.tsx  +2 −1
  + new.ts       +1
  − old.ts       −1
  ~ a.png        not text
`);
});

it("is empty without changes, and gives the number of omitted files if there are many", () => {
  expect(changedFiles([])).toBe("");
  const many = Array.from({ length: 43 }, (_, index) => file(`f${index}`, "+x"));
  expect(changedFiles(many)).toMatch(/^\nChanged 43 files:\n.*\n {2}… and 3 more\n$/s);
});

it("A41 removes terminal control characters from names", () => {
  const path = "a\u001B[2Jb" as ReturnType<typeof toProjectPath>;
  expect(changedFiles([{ ...file("x", "+x"), path }])).not.toContain("\u001B");
});
