import { expect, it } from "vitest";
import type { Conflict, Resolution } from "../api/git.ts";
import { hasMarks, openConflicts, resolutionsOf } from "./resolutions.ts";

const merged = "one\n<<<<<<< abc\nmine\n=======\ntheirs\n>>>>>>> def\nthree\n";
const conflicts: Conflict[] = [
  { path: "a.txt", ours: "mine", theirs: "theirs", merged, binary: false },
  { path: "b.png", binary: true },
];
const choose = (...choices: [string, Resolution][]) => new Map(choices);

it("a text has git's marks until the person took them out; a heading's underline is none", () => {
  expect(hasMarks(merged)).toBe(true);
  expect(hasMarks(merged.replaceAll("\n", "\r\n"))).toBe(true);
  expect(hasMarks("one\n>>>>>>> def\n")).toBe(true);
  expect(hasMarks("Title\n=======\nshift left: a <<<<<<< b\n>>>>>>>> eight\n")).toBe(false);
});

it("nothing is sent before every conflict has its answer", () => {
  expect(resolutionsOf(conflicts, choose())).toBeUndefined();
  const one = choose(["a.txt", { take: "ours" }]);
  expect([openConflicts(conflicts, one), resolutionsOf(conflicts, one)]).toEqual([1, undefined]);
  const both = choose(["a.txt", { take: "ours" }], ["b.png", { take: "theirs" }]);
  expect(openConflicts(conflicts, both)).toBe(0);
  expect(resolutionsOf(conflicts, both)).toEqual({
    "a.txt": { take: "ours" },
    "b.png": { take: "theirs" },
  });
});

it("a text that still has marks is no answer; one without is sent as it stands", () => {
  const other: [string, Resolution] = ["b.png", { take: "ours" }];
  expect(resolutionsOf(conflicts, choose(["a.txt", { text: merged }], other))).toBeUndefined();
  expect(resolutionsOf(conflicts, choose(["a.txt", { text: "both\n" }], other))).toEqual({
    "a.txt": { text: "both\n" },
    "b.png": { take: "ours" },
  });
});

it("answers to files that are in conflict no more are not sent", () => {
  const choices = choose(["a.txt", { take: "ours" }], ["gone.txt", { text: "x" }]);
  expect(resolutionsOf([conflicts[0]!], choices)).toEqual({ "a.txt": { take: "ours" } });
});
