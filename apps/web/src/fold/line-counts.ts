import type { LineCount } from "@treadle/protocol";
import { toolKind } from "@treadle/protocol/tools";
import type { CallItem, Turn } from "./types.ts";

/** Lines added and removed by these calls; undefined if none of them wrote a file. */
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

/**
 * Lines added and removed by a turn's calls; undefined if none of them wrote a file. A line written twice counts twice,
 * because the number measures the work rather than the diff.
 */
export const linesOfTurn = ({ items }: Turn): LineCount | undefined =>
  linesOfCalls(items.filter((item) => item.kind === "call"));

/** Number of files written or deleted by a turn's calls. */
export const filesOfTurn = ({ items }: Turn): number =>
  new Set(
    items.flatMap((item) =>
      item.kind === "call" && item.status === "ok" && toolKind(item.tool) === "writes"
        ? [item.path]
        : [],
    ),
  ).size;
