import { expect, it } from "vitest";
import { rowsOf, type Row } from "./diff-rows.ts";
import type { Segment } from "./segments.ts";

const segments: Segment[] = [
  { kind: "same", before: 1, after: 1, lines: ["a"] },
  { kind: "hunk", index: 0, hunk: { before: 2, after: 2, removed: ["b"], added: ["B", "c"] } },
];
const describe = (rows: Row[]) =>
  rows.map((row) =>
    row.kind === "same" || row.kind === "changed"
      ? `${row.before?.line ?? ""}${row.before?.text ?? ""}|${row.after?.line ?? ""}${row.after?.text ?? ""}`
      : row.kind,
  );

it("draws removed lines above added lines", () => {
  expect(describe(rowsOf(segments, false))).toEqual(["1a|1a", "hunk", "2b|", "|2B", "|3c"]);
});

it("draws removed lines beside added lines", () => {
  expect(describe(rowsOf(segments, true))).toEqual(["1a|1a", "hunk", "2b|2B", "|3c"]);
});

it("marks the words of a line that differ from the line it replaced", () => {
  const [segment] = [
    {
      kind: "hunk",
      index: 0,
      hunk: { before: 1, after: 1, removed: ["a = 1;"], added: ["a = 2;"] },
    },
  ] satisfies Segment[];
  const [, removedRow, addedRow] = rowsOf([segment!], false);
  expect([removedRow, addedRow]).toMatchObject([
    { before: { ranges: [[4, 5]] } },
    { after: { ranges: [[4, 5]] } },
  ]);
});
