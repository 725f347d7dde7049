import { stripVTControlCharacters } from "node:util";

/**
 * Characters that terminals draw two columns wide: East Asian wide and full-width ones, and emoji.
 */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Characters that take no column. */
const NONE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
/** An escape sequence for a colour, or one character. */
// oxlint-disable-next-line no-control-regex -- colours begin with one
const PIECE = /\u001b\[[\d;]*m|[\s\S]/gu;

const cellOf = (mark: string) => (NONE.test(mark) ? 0 : WIDE.test(mark) ? 2 : 1);

/** The width of a line in terminal columns; colours take none. */
export function cells(line: string): number {
  let sum = 0;
  for (const mark of stripVTControlCharacters(line)) sum += cellOf(mark);
  return sum;
}

/** The number of rows of a line in a terminal of that width. */
export const rowsOf = (line: string, columns: number): number =>
  Math.max(1, Math.ceil(cells(line) / columns));

/** Shortens a line to a width with `…`, and ends its colours. */
export function clip(line: string, columns: number): string {
  if (cells(line) <= columns) return line;
  let used = 0;
  let output = "";
  for (const [piece] of line.matchAll(PIECE)) {
    const isColour = piece.length > 1 && piece.startsWith("\u001b");
    if (!isColour && used + cellOf(piece) > columns - 1) break;
    if (!isColour) used += cellOf(piece);
    output += piece;
  }
  return `${output}…${output.includes("\u001b[") ? "\u001b[0m" : ""}`;
}

/** Pads a text with spaces to a width. */
export const padded = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - cells(text)));
