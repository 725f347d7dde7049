import { readUnifiedDiff } from "@treadle/dialects/diff";
import type { LineCount } from "@treadle/protocol";

/** Counts the added and removed lines of a unified diff. */
export function countLines(diff: string): LineCount {
  const lines = readUnifiedDiff(diff);
  return {
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
  };
}
