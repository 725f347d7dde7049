import type { LineCount } from "@treadle/protocol";
import { toolKind } from "@treadle/protocol/tools";
import type { CallItem, Turn } from "./types.ts";

/** Lines that came and went in all of these calls; undefined where none of them wrote a file. */
export function linesOfCalls(calls: readonly CallItem[]): LineCount | undefined {
  let sum: LineCount | undefined;
  for (const { lines } of calls)
    if (lines)
      sum = {
        added: (sum?.added ?? 0) + lines.added,
        removed: (sum?.removed ?? 0) + lines.removed,
      };
  return sum;
}

/** The same of a whole turn. A line that was written twice counts twice: it is the work that is told, not a difference. */
export const linesOfTurn = ({ items }: Turn): LineCount | undefined =>
  linesOfCalls(items.filter((item) => item.kind === "call"));

/** How many files were written or deleted by calls of a turn. */
export const filesOfTurn = ({ items }: Turn): number =>
  new Set(
    items.flatMap((item) =>
      item.kind === "call" && item.status === "ok" && toolKind(item.tool) === "writes"
        ? [item.path]
        : [],
    ),
  ).size;
