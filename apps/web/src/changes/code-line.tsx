import { visibleProse } from "@treadle/protocol/safe-text";
import type { ColouredPiece } from "../files/highlight.ts";
import type { Cell } from "./diff-rows.ts";
import { linePieces } from "./line-pieces.ts";

/** Maximum characters of a line that are drawn. */
const DRAWN = 4_000;

/** One line of code, coloured, with its differences marked. */
export function CodeLine({
  cell,
  coloured,
  mark,
}: {
  cell: Cell;
  coloured: ColouredPiece[] | undefined;
  mark: string;
}) {
  const text = cell.text.replace(/\r$/, "");
  const cut = text.length > DRAWN;
  const shown = cut ? text.slice(0, DRAWN) : text;
  return (
    <>
      {linePieces(shown, cut ? undefined : coloured, cell.ranges).map(
        ({ text: part, colour, marked }, index) => {
          const style = colour === undefined ? undefined : { color: `var(${colour})` };
          const words = visibleProse(part);
          // Only the text colour has enough contrast on the marked background.
          if (marked)
            return (
              <mark key={index} className={`rounded-[2px] text-ink ${mark}`}>
                {words}
              </mark>
            );
          return style ? (
            <span key={index} style={style}>
              {words}
            </span>
          ) : (
            words
          );
        },
      )}
      {cut && "…"}
    </>
  );
}
