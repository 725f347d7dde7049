import type { Hunk } from "@treadle/dialects/diff";
import { changedWords } from "./changed-words.ts";
import type { Segment } from "./segments.ts";

/** One line of the old or the new file. */
export interface Cell {
  /** Line number, counted from 1. */
  line: number;
  text: string;
  /** The ranges that differ from the line beside it. */
  ranges?: readonly [number, number][] | undefined;
}

export type Row =
  | { kind: "same"; before: Cell; after: Cell }
  /** A removed line, an added line, or an added line beside the removed line that it replaces. */
  | { kind: "changed"; before?: Cell | undefined; after?: Cell | undefined }
  /** Heading above the lines of a change. */
  | { kind: "hunk"; index: number }
  | Extract<Segment, { kind: "gap" }>;

/** The rows as they are drawn: side by side, or removed lines above added lines. */
export function rowsOf(segments: readonly Segment[], beside: boolean): Row[] {
  const rows: Row[] = [];
  for (const segment of segments)
    switch (segment.kind) {
      case "gap":
        rows.push(segment);
        break;
      case "same":
        for (const [index, text] of segment.lines.entries())
          rows.push({
            kind: "same",
            before: { line: segment.before + index, text },
            after: { line: segment.after + index, text },
          });
        break;
      case "hunk":
        rows.push({ kind: "hunk", index: segment.index }, ...rowsOfHunk(segment.hunk, beside));
    }
  return rows;
}

function rowsOfHunk({ before, after, removed, added }: Hunk, beside: boolean): Row[] {
  const removedCells: Cell[] = removed.map((text, index) => ({ line: before + index, text }));
  const addedCells: Cell[] = added.map((text, index) => ({ line: after + index, text }));
  for (const [index, cell] of removedCells.entries()) {
    const other = addedCells[index];
    const words = other && changedWords(cell.text, other.text);
    if (!words) continue;
    cell.ranges = words.before;
    other.ranges = words.after;
  }
  if (!beside)
    return [
      ...removedCells.map((cell): Row => ({ kind: "changed", before: cell })),
      ...addedCells.map((cell): Row => ({ kind: "changed", after: cell })),
    ];
  return Array.from(
    { length: Math.max(removedCells.length, addedCells.length) },
    (_, index): Row => ({
      kind: "changed",
      before: removedCells[index],
      after: addedCells[index],
    }),
  );
}
