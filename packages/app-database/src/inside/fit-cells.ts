import type { Cell } from "@treadle/protocol";

/**
 * As many of the rows as come to no more bytes than one answer may have, with the longest texts that do: all of a page,
 * whatever they come to. Texts are cut shorter where they are many, and then there are fewer rows.
 *
 * Its text is handed into sandboxes too, so that it names nothing from outside of itself.
 * @param options.longest characters of a text at most
 * @param options.toCell tells a value, its text cut to so many characters
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
