import { expect, it } from "vitest";
import { tellTree } from "./tell-tree.ts";

it("lists the files once, then additions and removals, with the size of large files", () => {
  const sizes = new Map([
    ["a.css", 9_800],
    ["b.ts", 300],
    ["c.ts", 5_000],
  ]);
  expect(tellTree(undefined, ["a.css", "b.ts"], false, sizes)).toBe(
    "Files of the project:\na.css (9.8 KB)\nb.ts",
  );
  expect(tellTree(["a.css", "b.ts"], ["b.ts", "c.ts"], false, sizes)).toMatch(
    /:\n\+ c\.ts \(5\.0 KB\)\n- a\.css$/,
  );
  expect(tellTree(["b.ts"], ["b.ts"], false, sizes)).toBe("");
  expect(tellTree([], [], false, sizes)).toBe("");
});

it("lists the files of a formerly empty project as they are and not as changes", () => {
  expect(tellTree([], ["b.ts"], false, new Map())).toBe("Files of the project:\nb.ts");
});
