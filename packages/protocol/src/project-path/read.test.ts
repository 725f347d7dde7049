import fc from "fast-check";
import { describe, expect, expectTypeOf, it, test } from "vitest";
import {
  folderOf,
  isUnder,
  movedPath,
  pathIn,
  PROJECT_FOLDER,
  readProjectPath,
  toProjectPath,
  type ProjectPath,
} from "./index.ts";

const pathOf = (written: string) => {
  const read = readProjectPath(written);
  return read.ok ? read.path : read.fault;
};

describe("a path of a project", () => {
  test.each([
    ["index.html", "index.html"],
    ["./index.html", "index.html"],
    ["src//index.html", "src/index.html"],
    ["././src/./a/", "src/a"],
    ["", ""],
    [".", ""],
    ["./", ""],
    ["a b/ü.ts", "a b/ü.ts"],
    ["...", "..."],
    ["100%/a", "100%/a"],
  ])("reads %j as %j", (written, path) => expect(pathOf(written)).toBe(path));

  test.each([
    ["/etc/passwd", "path-absolute"],
    ["C:/x", "path-absolute"],
    ["../x", "path-outside"],
    ["a/../x", "path-outside"],
    ["a\0b", "path-with-nul"],
    ["a\\b", "path-with-backslash"],
    ["%2e%2e/x", "path-percent-encoded"],
    ["a%2Fb", "path-percent-encoded"],
    ["x".repeat(1_025), "path-overlong"],
    ["ü".repeat(128), "path-part-overlong"],
    ["😀".repeat(64), "path-part-overlong"],
  ])("A18 rejects %j with the reason", (written, fault) => expect(pathOf(written)).toBe(fault));

  it("accepts paths and names at their limits", () => {
    expect(pathOf("a/".repeat(511) + "ab")).toHaveLength(1_024);
    expect(pathOf("x".repeat(255))).toHaveLength(255);
    expect(pathOf("😀".repeat(63))).toHaveLength(126);
  });

  it("reads the result as itself, and never throws", () => {
    const written = fc.array(fc.constantFrom("a", "b.ts", ".", "..", "", "/", "//", "./", "\\"));
    fc.assert(
      fc.property(
        fc.oneof(
          written.map((parts) => parts.join("")),
          fc.string(),
        ),
        (text) => {
          const read = readProjectPath(text);
          if (read.ok) expect(readProjectPath(read.path)).toEqual(read);
        },
      ),
    );
  });

  it("has a parent folder, the outermost being the project's own", () => {
    expect(folderOf(toProjectPath("src/ui/a.ts"))).toBe("src/ui");
    expect(folderOf(toProjectPath("a.ts"))).toBe(PROJECT_FOLDER);
    expect(folderOf(PROJECT_FOLDER)).toBe(PROJECT_FOLDER);
  });

  it("is below its parent folders, and not below one whose name is only a prefix", () => {
    const path = toProjectPath("src/ui/a.ts");
    for (const folder of ["", "src", "src/ui", "src/ui/a.ts"])
      expect(isUnder(path, toProjectPath(folder)), folder).toBe(true);
    for (const folder of ["sr", "src/u", "ui", "src/ui/a.ts/b"])
      expect(isUnder(path, toProjectPath(folder)), folder).toBe(false);
  });

  it("is relative to the project if it is named within one of its folders", () => {
    const path = toProjectPath("a/b.ts");
    expect(pathIn(toProjectPath("src"), path)).toBe("src/a/b.ts");
    expect(pathIn(PROJECT_FOLDER, path)).toBe("a/b.ts");
  });

  it("moves with its folder", () => {
    const [from, to] = [toProjectPath("src/ui"), toProjectPath("lib")];
    expect(movedPath(toProjectPath("src/ui/a.ts"), from, to)).toBe("lib/a.ts");
    expect(movedPath(from, from, to)).toBe("lib");
  });

  it("is a separate type: a plain string is not assignable", () => {
    expectTypeOf<string>().not.toExtend<ProjectPath>();
    expectTypeOf<ProjectPath>().toExtend<string>();
    expect(() => toProjectPath("../x")).toThrow('"../x": path-outside');
  });
});
