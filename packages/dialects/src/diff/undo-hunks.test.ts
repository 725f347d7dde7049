import { expect, it } from "vitest";
import { formatUnifiedDiff, hunksOf, readUnifiedDiff } from "./index.ts";
import { undoHunks } from "./undo-hunks.ts";

const between = (before: string, after: string) =>
  hunksOf(readUnifiedDiff(formatUnifiedDiff(before, after)));
const undone = (before: string, after: string, which: number[], now = after) => {
  const hunks = between(before, after);
  return undoHunks(
    { before, after, now },
    which.map((one) => hunks[one]!),
  );
};

it("undoes one change and leaves the others", () => {
  const [before, after] = ["a\nb\nc\nd\ne\n", "A\nb\nc\nD\nnew\ne\n"];
  expect(undone(before, after, [0])).toBe("a\nb\nc\nD\nnew\ne\n");
  expect(undone(before, after, [1])).toBe("A\nb\nc\nd\ne\n");
  expect(undone(before, after, [1, 0])).toBe(before);
});

it("restores deleted lines at the beginning, in the middle and at the end", () => {
  const before = "a\nb\nc\nd\ne\n";
  for (const after of ["b\nc\nd\ne\n", "a\nb\nd\ne\n", "a\nb\nc\nd\n", ""])
    expect(undone(before, after, [0])).toBe(before);
});

it("preserves line ends, and a missing one at the end", () => {
  expect(undone("a\r\nb\r\n", "a\r\nB\n", [0])).toBe("a\r\nb\r\n");
  expect(undone("a", "a\nb", [0])).toBe("a");
  expect(undone("a\nb\n", "a\nb", [0])).toBe("a\nb\n");
  expect(undone("\u00ff\n", "\u00fe\n", [0])).toBe("\u00ff\n");
});

it("finds lines that have moved since", () => {
  const [before, after] = ["a\nb\nc\n", "a\nB\nc\n"];
  expect(undone(before, after, [0], "0\n1\na\nB\nc\nend\n")).toBe("0\n1\na\nb\nc\nend\n");
});

it("changes nothing if the same or adjacent lines were changed since", () => {
  const [before, after] = ["a\nb\nc\nd\n", "a\nB\nc\nd\n"];
  expect(undone(before, after, [0], "a\nBB\nc\nd\n")).toBeUndefined();
  expect(undone(before, after, [0], "a\nB\nnew\nc\nd\n")).toBeUndefined();
  expect(undone(before, after, [0], "")).toBeUndefined();
});
