import { formatUnifiedDiff } from "@treadle/dialects/diff";
import { expect, it } from "vitest";
import { lineMarks } from "./line-marks.ts";

const marks = (before: string, after: string) =>
  lineMarks(formatUnifiedDiff(before, after)).map(({ line, kind }) => `${line} ${kind}`);

it("finds added lines, changed lines and places of removed lines", () => {
  expect(marks("a\nb\nc\n", "a\nx\nb\nc\n")).toEqual(["2 added"]);
  expect(marks("a\nb\nc\n", "a\nB\nc\n")).toEqual(["2 changed"]);
  expect(marks("a\nb\nc\n", "a\nc\n")).toEqual(["2 removed"]);
  expect(marks("a\nb\nc\n", "a\nb\n")).toEqual(["3 removed"]);
  expect(marks("a\nb\n", "b\n")).toEqual(["1 removed"]);
});

it("marks all lines of a new file, and none if nothing changed", () => {
  expect(marks("", "a\nb\n")).toEqual(["1 added", "2 added"]);
  expect(marks("a\n", "a\n")).toEqual([]);
  expect(lineMarks("")).toEqual([]);
});

it("handles several changed blocks", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  const next = lines.toSpliced(20, 1, "other", "more").toSpliced(2, 1);
  expect(marks(`${lines.join("\n")}\n`, `${next.join("\n")}\n`)).toEqual([
    "3 removed",
    "20 changed",
    "21 changed",
  ]);
});
