import type { PatchHunk } from "./types.ts";

/**
 * Applies hunks that stand exactly where they say, carriage returns included: what a diff program wrote. Undefined when
 * any of them does not.
 */
export function applyExactly(original: string, hunks: readonly PatchHunk[]): string | undefined {
  const lines = original === "" ? [] : original.replace(/\n$/, "").split("\n");
  const out: string[] = [];
  let line = 0;
  let noBreak = original !== "" && !original.endsWith("\n");
  for (const hunk of hunks) {
    if (hunk.oldStart === undefined || hunk.anchors.length > 0) return undefined;
    const old = hunk.lines.filter(({ kind }) => kind !== "+");
    const start = old.length === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < line || start + old.length > lines.length) return undefined;
    if (old.some(({ text }, index) => lines[start + index] !== text)) return undefined;
    for (const text of lines.slice(line, start)) out.push(text);
    for (const { kind, text } of hunk.lines) if (kind !== "-") out.push(text);
    line = start + old.length;
    const reachesEnd = line === lines.length;
    if (reachesEnd && (hunk.noBreak?.old ?? false) !== noBreak) return undefined;
    if (reachesEnd) noBreak = hunk.noBreak?.new ?? false;
  }
  for (const text of lines.slice(line)) out.push(text);
  return out.length === 0 ? "" : out.join("\n") + (noBreak ? "" : "\n");
}
