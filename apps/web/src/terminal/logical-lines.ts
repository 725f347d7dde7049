import type { IBuffer, IBufferLine } from "@xterm/xterm";

/** Maximum screen rows of a line that is read completely. */
const MAX_ROWS = 60;

/** A line as it was printed, wrapped over one or more screen rows. */
export interface LogicalLine {
  text: string;
  /** The first row, and the one after the last. */
  from: number;
  to: number;
  /** The position of a character: its row and column, both counted from 0. */
  cellOf(index: number): { row: number; column: number };
}

/** The line that contains a row; undefined if the buffer has no such row. */
export function lineAt(buffer: IBuffer, row: number, columns: number): LogicalLine | undefined {
  if (!buffer.getLine(row)) return undefined;
  let from = row;
  while (from > 0 && row - from < MAX_ROWS && buffer.getLine(from)?.isWrapped) from--;
  let to = row + 1;
  while (to - from < MAX_ROWS && buffer.getLine(to)?.isWrapped) to++;
  /** For each character: its row multiplied by the number of columns, plus its column. */
  const cells: number[] = [];
  let text = "";
  for (let at = from; at < to; at++) {
    const line = buffer.getLine(at);
    if (line) text += readRow(line, (at - from) * columns, cells);
  }
  return {
    text,
    from,
    to,
    cellOf(index) {
      const cell = cells[Math.min(index, cells.length - 1)] ?? 0;
      return { row: from + Math.floor(cell / columns), column: cell % columns };
    },
  };
}

function readRow(line: IBufferLine, offset: number, cells: number[]): string {
  let text = "";
  let blank = "";
  const blanks: number[] = [];
  for (let column = 0; column < line.length; column++) {
    const cell = line.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const characters = cell.getChars();
    if (characters === "") {
      blank += " ";
      blanks.push(offset + column);
      continue;
    }
    for (const one of blanks.splice(0)) cells.push(one);
    text += blank + characters;
    blank = "";
    for (let unit = 0; unit < characters.length; unit++) cells.push(offset + column);
  }
  return text;
}

/** The rows of a buffer from one row on, joined into lines without escape sequences. */
export function linesFrom(buffer: IBuffer, row: number): string[] {
  const lines: string[] = [];
  for (let at = row; at < buffer.length; at++) {
    const line = buffer.getLine(at);
    const text = line?.translateToString(true) ?? "";
    if (line?.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return lines;
}
