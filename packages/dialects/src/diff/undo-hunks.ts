import { diffLines } from "./diff-lines.ts";
import { splitLines } from "./format-unified-diff.ts";
import type { Hunk } from "./read-unified-diff.ts";

/**
 * The content of a file after undoing some of the changes between `before` and `after` in its current content
 * `now`.
 * @param hunks the changes to undo
 * @returns undefined if the same or adjacent lines were changed since
 */
export function undoHunks(
  texts: { before: string; after: string; now: string },
  hunks: readonly Hunk[],
): string | undefined {
  const before = splitLines(texts.before);
  const now = splitLines(texts.now);
  const since = texts.after === texts.now ? [] : diffLines(splitLines(texts.after), now);
  const out: string[] = [];
  let at = 0;
  for (const hunk of hunks.toSorted((a, b) => a.after - b.after)) {
    const from = hunk.after - 1;
    const to = from + hunk.added.length;
    if (since.some(({ oldFrom, oldTo }) => oldFrom <= to && oldTo >= from)) return undefined;
    let moved = 0;
    for (const { oldFrom, oldTo, newFrom, newTo } of since)
      if (oldTo < from) moved += newTo - newFrom - (oldTo - oldFrom);
    out.push(...now.slice(at, from + moved));
    out.push(...before.slice(hunk.before - 1, hunk.before - 1 + hunk.removed.length));
    at = to + moved;
  }
  out.push(...now.slice(at));
  return out.join("");
}
