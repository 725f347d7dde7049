import { toProjectPath } from "@treadle/protocol/project-path";
import type { FileInfo } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { foldersAbove, indexTree, treeRows, visibleName } from "./tree.ts";

const file = (path: string): FileInfo => ({ path: toProjectPath(path), kind: "file", size: 1 });
const shown = (files: FileInfo[], closed: string[] = []) =>
  treeRows(indexTree(files), (folder) => !closed.includes(folder)).map(
    ({ name, depth }) => `${"  ".repeat(depth)}${name}`,
  );

describe("the file tree", () => {
  it("lists folders first, and includes folders that only file paths mention", () => {
    expect(shown([file("b.ts"), file("src/deep/x.ts"), file("a.ts"), file("src/y.ts")])).toEqual([
      "src",
      "  deep",
      "    x.ts",
      "  y.ts",
      "a.ts",
      "b.ts",
    ]);
  });

  it("omits the contents of closed folders", () => {
    expect(shown([file("src/deep/x.ts"), file("src/y.ts")], ["src/deep"])).toEqual([
      "src",
      "  deep",
      "  y.ts",
    ]);
  });

  it("shows a folder once, even if it is also listed", () => {
    expect(
      shown([{ path: toProjectPath("src"), kind: "folder", size: 0 }, file("src/a.ts")]),
    ).toEqual(["src", "  a.ts"]);
  });

  it("sorts numbers naturally, and distinguishes names by case", () => {
    const names = ["file10.ts", "file2.ts", "File2.ts", "file1.ts", "Zebra.ts", "apple.ts"];
    const order = shown(names.map(file));
    expect(order.filter((name) => name.toLowerCase() !== "file2.ts")).toEqual([
      "apple.ts",
      "file1.ts",
      "file10.ts",
      "Zebra.ts",
    ]);
    expect(order.indexOf("file10.ts")).toBeGreaterThan(order.indexOf("File2.ts"));
    expect(shown(names.toReversed().map(file))).toEqual(order);
  });

  it("gives each row's position within its folder", () => {
    const rows = treeRows(indexTree([file("b.ts"), file("src/y.ts"), file("a.ts")]), () => true);
    expect(rows.map(({ name, position, siblings }) => `${name} ${position}/${siblings}`)).toEqual([
      "src 1/3",
      "y.ts 1/1",
      "a.ts 2/3",
      "b.ts 3/3",
    ]);
  });

  it("treats unusual names as plain data (A46)", () => {
    expect(shown([file("__proto__/constructor")])).toEqual(["__proto__", "  constructor"]);
  });
});

it("makes characters visible that reverse a name (A42)", () => {
  expect(visibleName("a\u202egpj.exe")).toBe("a\\u{202e}gpj.exe");
  expect(visibleName("zero\u200bwidth")).toBe("zero\\u{200b}width");
  expect(visibleName("two\nlines")).toBe("two\\nlines");
  expect(visibleName("añ 日.ts")).toBe("añ 日.ts");
});

it("returns the folders that contain a path", () => {
  expect(foldersAbove(toProjectPath("a/b/c.ts"))).toEqual(["a", "a/b"]);
  expect(foldersAbove(toProjectPath("c.ts"))).toEqual([]);
});
