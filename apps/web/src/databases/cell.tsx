import type { Cell } from "@treadle/protocol";
import { visibleProse } from "@treadle/protocol/safe-text";
import { formatBytes } from "../ui/format.ts";

/** Whether a value can be edited; of long texts and bytes only the beginning is available. */
export const isEditable = (cell: Cell): boolean => cell === null || typeof cell !== "object";

/** A stored value; NULL and an empty text look different. */
export function CellText({ cell }: { cell: Cell }) {
  if (cell === null) return <span className="text-quiet italic">{String(null)}</span>;
  if (typeof cell !== "object") return <span>{visibleProse(String(cell))}</span>;
  if ("long" in cell) return <span>{visibleProse(cell.long.slice(0, 300))}…</span>;
  if ("bytes" in cell) return <span className="text-quiet">{formatBytes(cell.bytes)}</span>;
  return <span>{cell.integer}</span>;
}
