import { expect, it } from "vitest";
import type { Conflict, Resolution } from "../api/git.ts";
import { hasMarks, openConflicts, resolutionsOf } from "./resolutions.ts";

const merged = "one\n<<<<<<< abc\nmine\n=======\ntheirs\n>>>>>>> def\nthree\n";
const conflicts: Conflict[] = [
  { path: "a.txt", ours: "mine", theirs: "theirs", merged, binary: false },
  { path: "b.png", binary: true },
];
const choose = (...choices: [string, Resolution][]) => new Map(choices);

it("a text has conflict markers until the user removed them; a heading's underline is not a marker", () => {
  expect(hasMarks(merged)).toBe(true);
  expect(hasMarks(merged.replaceAll("\n", "\r\n"))).toBe(true);
  expect(hasMarks("one\n>>>>>>> def\n")).toBe(true);
  expect(hasMarks("Title\n=======\nshift left: a <<<<<<< b\n>>>>>>>> eight\n")).toBe(false);
});

it("nothing is sent before every conflict is resolved", () => {
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

it("a text with markers is not a resolution; one without is sent unchanged", () => {
  const other: [string, Resolution] = ["b.png", { take: "ours" }];
  expect(resolutionsOf(conflicts, choose(["a.txt", { text: merged }], other))).toBeUndefined();
  expect(resolutionsOf(conflicts, choose(["a.txt", { text: "both\n" }], other))).toEqual({
    "a.txt": { text: "both\n" },
    "b.png": { take: "ours" },
  });
});

it("resolutions of files that are no longer in conflict are not sent", () => {
  const choices = choose(["a.txt", { take: "ours" }], ["gone.txt", { text: "x" }]);
  expect(resolutionsOf([conflicts[0]!], choices)).toEqual({ "a.txt": { take: "ours" } });
});
