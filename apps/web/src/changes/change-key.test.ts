import { toProjectPath } from "@treadle/protocol/project-path";
import { formatUnifiedDiff } from "@treadle/dialects/diff";
import { expect, it } from "vitest";
import { changeKeys } from "./change-key.ts";

const keys = (before: string, after: string, path = "a.ts") =>
  changeKeys({
    path: toProjectPath(path),
    kind: "changed",
    binary: false,
    diff: formatUnifiedDiff(before, after),
  });

it("a change keeps its key when another appears above it, and has another key in another file", () => {
  const [one] = keys("a\nb\nc\n", "a\nB\nc\n");
  expect(keys("a\nb\nc\n", "new\na\nB\nc\n")[1]).toBe(one);
  expect(keys("a\nb\nc\n", "a\nB\nc\n", "b.ts")[0]).not.toBe(one);
  expect(keys("a\nb\nc\n", "a\nBB\nc\n")[0]).not.toBe(one);
});

it("two changes with the same text have different keys", () => {
  const names = keys("x\n1\nx\n", "y\n1\ny\n");
  expect(new Set(names).size).toBe(2);
});

it("a file without lines is one change", () => {
  expect(keys("", "")).toHaveLength(1);
});
