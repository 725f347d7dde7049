import type { ColouredPiece } from "../files/highlight.ts";

/** A part of a line with a single style. */
export interface LinePiece {
  text: string;
  /** A CSS variable. */
  colour?: string | undefined;
  /** Whether it differs from the other text. */
  marked: boolean;
}

/** Splits coloured code into lines. */
export function linesOfPieces(pieces: readonly ColouredPiece[]): ColouredPiece[][] {
  const lines: ColouredPiece[][] = [[]];
  for (const { text, colour } of pieces)
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)!.push({ text: part, colour });
    }
  return lines;
}

/** Splits a line where its colour changes and where a marked range starts or ends. */
export function linePieces(
  text: string,
  coloured: readonly ColouredPiece[] | undefined,
  ranges: readonly (readonly [number, number])[] = [],
): LinePiece[] {
  // Colours computed for another text do not apply.
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
