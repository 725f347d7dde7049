import { expect, it } from "vitest";
import { hunksOf, readUnifiedDiff } from "./read-unified-diff.ts";

it("parses lines with their numbers, without the headers", () => {
  const diff =
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,3 +3,4 @@ function a()\n same\n-old\n+new\n+more\n tail\n\\ No newline at end of file\n";
  expect(readUnifiedDiff(diff)).toEqual([
    { kind: "place", text: "function a()", before: 3, after: 3 },
    { kind: "same", text: "same", before: 3, after: 3 },
    { kind: "removed", text: "old", before: 4 },
    { kind: "added", text: "new", after: 4 },
    { kind: "added", text: "more", after: 5 },
    { kind: "same", text: "tail", before: 5, after: 6 },
  ]);
});

it("is not confused by lines that begin with dashes or pluses", () => {
  expect(readUnifiedDiff("@@ -1 +1 @@\n--- a\n+++ b\n")).toEqual([
    { kind: "place", text: "", before: 1, after: 1 },
    { kind: "removed", text: "-- a", before: 1 },
    { kind: "added", text: "++ b", after: 1 },
  ]);
});

it("gives each change separately, with its position in both files", () => {
  const diff = "@@ -1,6 +1,6 @@\n-a\n+A\n b\n+new\n c\n d\n-e\n f\n@@ -20,0 +21 @@\n+late\n";
  expect(hunksOf(readUnifiedDiff(diff))).toEqual([
    { before: 1, after: 1, removed: ["a"], added: ["A"] },
    { before: 3, after: 3, removed: [], added: ["new"] },
    { before: 5, after: 6, removed: ["e"], added: [] },
    { before: 21, after: 21, removed: [], added: ["late"] },
  ]);
});

it("gives an added or deleted file as one change from its first line on", () => {
  expect(hunksOf(readUnifiedDiff("@@ -0,0 +1,2 @@\n+a\n+b\n"))).toEqual([
    { before: 1, after: 1, removed: [], added: ["a", "b"] },
  ]);
  expect(hunksOf(readUnifiedDiff("@@ -1,2 +0,0 @@\n-a\n-b\n"))).toEqual([
    { before: 1, after: 1, removed: ["a", "b"], added: [] },
  ]);
});
