import { ChevronsUpDown, FoldVertical } from "../ui/icons.ts";
import { words } from "../words/words.ts";
import type { Row } from "./diff-rows.ts";

/** Lines shown per click. */
const LINES_PER_CLICK = 20;

const LINK = "min-h-6 rounded px-1.5 text-accent hover:underline pointer-coarse:min-h-11";

/** Folded unchanged lines, with buttons to show more. */
export function GapRow({
  gap: { key, after, count, first, last },
  columns,
  onOpen,
}: {
  gap: Extract<Row, { kind: "gap" }>;
  columns: number;
  onOpen: ((key: number, end: "top" | "bottom", lines: number) => void) | undefined;
}) {
  const few = count <= LINES_PER_CLICK;
  return (
    <tr className="bg-hover/60 font-sans text-quiet">
      <td colSpan={columns} className="px-3 py-0.5">
        <span className="flex flex-wrap items-center gap-x-2">
          <FoldVertical size={13} aria-hidden="true" className="shrink-0" />
          <span className="numbers">{words.changes.unchanged({ amount: count })}</span>
          {onOpen && !few && !first && (
            <button
              type="button"
              className={LINK}
              aria-label={words.changes.showMoreFrom({ amount: LINES_PER_CLICK, line: after })}
              onClick={() => onOpen(key, "top", LINES_PER_CLICK)}
            >
              {words.changes.showMore({ amount: LINES_PER_CLICK })} ↓
            </button>
          )}
          {onOpen && !few && !last && (
            <button
              type="button"
              className={LINK}
              aria-label={words.changes.showMoreTo({
                amount: LINES_PER_CLICK,
                line: after + count - 1,
              })}
              onClick={() => onOpen(key, "bottom", LINES_PER_CLICK)}
            >
              {words.changes.showMore({ amount: LINES_PER_CLICK })} ↑
            </button>
          )}
          {onOpen && (
            <button
              type="button"
              className={`${LINK} inline-flex items-center gap-1`}
              aria-label={words.changes.showAllFrom({ first: after, last: after + count - 1 })}
              onClick={() => onOpen(key, "top", count)}
            >
              <ChevronsUpDown size={13} aria-hidden="true" /> {words.changes.showAll}
            </button>
          )}
        </span>
      </td>
    </tr>
  );
}
