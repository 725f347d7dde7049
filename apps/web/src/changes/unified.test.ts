import { expect, it } from "vitest";
import { readUnified } from "./unified.ts";

it("reads lines with their numbers, without the headers", () => {
  const diff =
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,3 +3,4 @@ function a()\n same\n-old\n+new\n+more\n tail\n\\ No newline at end of file\n";
  expect(readUnified(diff)).toEqual([
    { kind: "place", text: "function a()" },
    { kind: "same", text: "same", before: 3, after: 3 },
    { kind: "removed", text: "old", before: 4 },
    { kind: "added", text: "new", after: 4 },
    { kind: "added", text: "more", after: 5 },
    { kind: "same", text: "tail", before: 5, after: 6 },
  ]);
});

it("takes lines that begin with dashes or pluses for what they are", () => {
  expect(readUnified("@@ -1 +1 @@\n--- a\n+++ b\n")).toEqual([
    { kind: "place", text: "" },
    { kind: "removed", text: "-- a", before: 1 },
    { kind: "added", text: "++ b", after: 1 },
  ]);
});
