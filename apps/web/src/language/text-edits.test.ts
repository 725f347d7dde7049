import { Text } from "@codemirror/state";
import { expect, it } from "vitest";
import { changesOf, offsetOf } from "./text-edits.ts";

const doc = Text.of(["one two", "three"]);
const edit = (from: [number, number], to: [number, number], newText = "") => ({
  range: {
    start: { line: from[0], character: from[1] },
    end: { line: to[0], character: to[1] },
  },
  newText,
});

it("finds a position, the line's end if it is beyond the line, and none outside the text", () => {
  expect(offsetOf(doc, { line: 1, character: 2 })).toBe(10);
  expect(offsetOf(doc, { line: 0, character: 99 })).toBe(7);
  expect(offsetOf(doc, { line: 2, character: 0 })).toBe(13);
  expect(offsetOf(doc, { line: 3, character: 0 })).toBeUndefined();
  expect(offsetOf(doc, { line: -1, character: 0 })).toBeUndefined();
});

it("sorts edits into document order", () => {
  expect(changesOf(doc, [edit([1, 0], [1, 5], "3"), edit([0, 0], [0, 3], "1")])).toEqual([
    { from: 0, to: 3, insert: "1" },
    { from: 8, to: 13, insert: "3" },
  ]);
});

it("A90 rejects edits that overlap, are outside the text or are invalid", () => {
  expect(changesOf(doc, [edit([0, 0], [0, 4]), edit([0, 3], [0, 5])])).toBeUndefined();
  expect(changesOf(doc, [edit([0, 0], [9, 4])])).toBeUndefined();
  expect(changesOf(doc, [edit([0, 3], [0, 1])])).toBeUndefined();
  expect(changesOf(doc, [{ newText: "a" } as never])).toBeUndefined();
  expect(changesOf(doc, "x" as never)).toBeUndefined();
});
