import { visibleProse } from "@treadle/protocol/safe-text";
import type { ColouredPiece } from "../files/highlight.ts";
import type { Cell } from "./diff-rows.ts";
import { linePieces } from "./line-pieces.ts";

/** Maximum characters of a line that are drawn. */
const MAX_LINE_CHARS = 4_000;

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
  const cut = text.length > MAX_LINE_CHARS;
  const shown = cut ? text.slice(0, MAX_LINE_CHARS) : text;
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
