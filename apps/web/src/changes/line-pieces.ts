import type { ColouredPiece } from "../files/highlight.ts";

/** A part of a line that is drawn in one way. */
export interface LinePiece {
  text: string;
  /** A variable of the page. */
  colour?: string | undefined;
  /** It is what differs. */
  marked: boolean;
}

/** Coloured code, line by line. */
export function linesOfPieces(pieces: readonly ColouredPiece[]): ColouredPiece[][] {
  const lines: ColouredPiece[][] = [[]];
  for (const { text, colour } of pieces)
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)!.push({ text: part, colour });
    }
  return lines;
}

/** One line, cut where its colour changes and where what differs begins or ends. */
export function linePieces(
  text: string,
  coloured: readonly ColouredPiece[] | undefined,
  ranges: readonly (readonly [number, number])[] = [],
): LinePiece[] {
  // Colours of another text than is shown say nothing.
  const base = coloured && lengthOf(coloured) === text.length ? coloured : [{ text }];
  const out: LinePiece[] = [];
  let at = 0;
  for (const piece of base) {
    const end = at + piece.text.length;
    const cuts = ranges.flat().filter((cut) => cut > at && cut < end);
    for (const to of [...cuts, end]) {
      if (to === at) continue;
      const marked = ranges.some(([from, until]) => from <= at && to <= until);
      out.push({
        text: text.slice(at, to),
        colour: "colour" in piece ? piece.colour : undefined,
        marked,
      });
      at = to;
    }
  }
  return out;
}

const lengthOf = (pieces: readonly ColouredPiece[]) =>
  pieces.reduce((sum, { text }) => sum + text.length, 0);
