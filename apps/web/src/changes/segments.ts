import type { DiffLine, Hunk } from "@treadle/dialects/diff";

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 3;
/** A gap of so few lines is not folded, because the fold would take as much room. */
const MAX_UNFOLDED_GAP_LINES = 3;

/** The parts of a file's diff, in order. */
export type Segment =
  /** Unchanged lines; the numbers are those of the first one. */
  | { kind: "same"; before: number; after: number; lines: string[] }
  | { kind: "hunk"; index: number; hunk: Hunk }
  /** Folded unchanged lines; `after` is the first one's line number. */
  | { kind: "gap"; key: number; after: number; count: number; first: boolean; last: boolean };

/** Number of lines that the person has opened at the top and bottom of each gap, by the gap's key. */
export type Opened = ReadonlyMap<number, { top: number; bottom: number }>;

/** The known lines of the new file: all of them, or the unchanged ones in the diff. */
export interface KnownLines {
  at(line: number): string | undefined;
  /** Number of lines; undefined while only the diff is known. */
  total: number | undefined;
}

export function linesOfDiff(lines: readonly DiffLine[]): KnownLines {
  const known = new Map<number, string>();
  for (const { kind, after, text } of lines)
    if (kind === "same" && after !== undefined) known.set(after, text);
  return { at: (line) => known.get(line), total: undefined };
}

export function linesOfText(text: string): KnownLines {
  const lines = text.split("\n");
  // A final line break does not start another line.
  if (lines.at(-1) === "") lines.pop();
  return { at: (line) => lines[line - 1], total: lines.length };
}

/** Folds unchanged lines far from any change, except those that were opened. */
export function segmentsOf(hunks: readonly Hunk[], known: KnownLines, opened: Opened): Segment[] {
  const out: Segment[] = [];
  let before = 1;
  let after = 1;
  const stayed = (count: number, last: boolean) => {
    if (count <= 0) return;
    const first = out.length === 0;
    const more = opened.get(after) ?? { top: 0, bottom: 0 };
    const top = Math.min(count, (first ? 0 : CONTEXT_LINES) + more.top);
    const bottom = Math.min(count - top, (last ? 0 : CONTEXT_LINES) + more.bottom);
    const few = count - top - bottom <= MAX_UNFOLDED_GAP_LINES;
    const readable = (from: number, amount: number): string[] => {
      const lines: string[] = [];
      for (let line = from; line < from + amount; line++) {
        const text = known.at(line);
        if (text === undefined) return [];
        lines.push(text);
      }
      return lines;
    };
    const visibleLines = few ? readable(after, count) : [];
    if (visibleLines.length > 0) out.push({ kind: "same", before, after, lines: visibleLines });
    else {
      const above = readable(after, top);
      const below = readable(after + count - bottom, bottom);
      const hidden = count - above.length - below.length;
      if (above.length > 0) out.push({ kind: "same", before, after, lines: above });
      out.push({
        kind: "gap",
        key: after,
        after: after + above.length,
        count: hidden,
        first,
        last,
      });
      const skip = above.length + hidden;
      if (below.length > 0)
        out.push({ kind: "same", before: before + skip, after: after + skip, lines: below });
    }
    before += count;
    after += count;
  };
  for (const [index, hunk] of hunks.entries()) {
    stayed(hunk.after - after, false);
    out.push({ kind: "hunk", index, hunk });
    before = hunk.before + hunk.removed.length;
    after = hunk.after + hunk.added.length;
  }
  if (known.total !== undefined) stayed(known.total - after + 1, true);
  else {
    // The diff includes the lines just below the last change.
    const lines: string[] = [];
    for (let text = known.at(after); text !== undefined; text = known.at(after + lines.length))
      lines.push(text);
    if (lines.length > 0) out.push({ kind: "same", before, after, lines });
  }
  return out;
}
