import type { Cell } from "@treadle/protocol";

/**
 * Fits rows into the size of one response, with texts as long as possible. Texts are shortened if
 * there are many, and then rows are dropped.
 * Its source text is also sent into sandboxes, so it must not use anything declared outside of it.
 * @param options.longest maximum length of a text, in characters
 * @param options.toCell converts a value, its text shortened to this length
 */
export function fitCells(
  values: readonly unknown[][],
  options: {
    isPage: boolean;
    longest: number;
    toCell(value: unknown, most: number, column: number): Cell;
  },
): Cell[][] {
  const MOST_ANSWER = 3_000_000;
  for (let most = options.longest; ; most = Math.trunc(most / 4)) {
    const cells: Cell[][] = [];
    let size = 0;
    for (const row of values) {
      const shown = row.map((value, column) => options.toCell(value, most, column));
      size += Buffer.byteLength(JSON.stringify(shown));
      if (size > MOST_ANSWER && (most > 0 || !options.isPage)) break;
      cells.push(shown);
    }
    if (cells.length === values.length || most === 0) return cells;
  }
}
