import { formatUnifiedDiff, hunksOf, readUnifiedDiff } from "@treadle/dialects/diff";
import { expect, it } from "vitest";
import { linesOfDiff, linesOfText, segmentsOf, type Opened } from "./segments.ts";

const before = Array.from({ length: 60 }, (_, at) => `line ${at + 1}\n`);
const after = before.map((line, at) => (at === 9 || at === 39 ? `new ${line}` : line));
const diff = readUnifiedDiff(formatUnifiedDiff(before.join(""), after.join("")));
const hunks = hunksOf(diff);

const describe = (opened: Opened = new Map(), known = linesOfText(after.join(""))) =>
  segmentsOf(hunks, known, opened).map((one) =>
    one.kind === "same"
      ? `${one.before}/${one.after}+${one.lines.length}`
      : one.kind === "gap"
        ? `gap ${one.key}: ${one.count}`
        : `hunk ${one.index}`,
  );

it("folds what lies far from a change", () => {
  expect(describe()).toEqual([
    "gap 1: 6",
    "7/7+3",
    "hunk 0",
    "11/11+3",
    "gap 11: 23",
    "37/37+3",
    "hunk 1",
    "41/41+3",
    "gap 41: 17",
  ]);
});

it("shows more from the end that was asked for, and all where little is left", () => {
  expect(describe(new Map([[11, { top: 20, bottom: 0 }]]))).toContain("11/11+29");
  const opened = describe(new Map([[11, { top: 0, bottom: 5 }]]));
  expect(opened).toContain("gap 11: 18");
  expect(opened).toContain("32/32+8");
});

it("shows what the difference itself has until the text has come, in the same places", () => {
  expect(describe(new Map(), linesOfDiff(diff))).toEqual(describe().slice(0, -1));
});

it("folds nothing of a file that came or went", () => {
  const hunks = hunksOf(readUnifiedDiff(formatUnifiedDiff("", "a\nb\n")));
  expect(segmentsOf(hunks, linesOfText("a\nb\n"), new Map()).map(({ kind }) => kind)).toEqual([
    "hunk",
  ]);
});
