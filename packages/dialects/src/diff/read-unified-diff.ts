/** One line of a unified diff; `place` begins a hunk. */
export type DiffLine = {
  kind: "same" | "added" | "removed" | "place";
  text: string;
  /** Line numbers in the old and the new file, from 1. */
  before?: number;
  after?: number;
};

/** Parses a unified diff of one file. Headers are left out; an unknown line counts as unchanged. */
export function readUnifiedDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const place = /^@@ -(\d+)(,0)?(?:,\d+)? \+(\d+)(,0)?(?:,\d+)? @@(.*)$/.exec(line);
    if (place) {
      // An empty range names the line before it.
      before = Number(place[1]) + (place[2] ? 1 : 0);
      after = Number(place[3]) + (place[4] ? 1 : 0);
      inside = true;
      lines.push({ kind: "place", text: place[5]?.trim() ?? "", before, after });
    } else if (!inside || line.startsWith("\\")) continue;
    else if (line.startsWith("+"))
      lines.push({ kind: "added", text: line.slice(1), after: after++ });
    else if (line.startsWith("-"))
      lines.push({ kind: "removed", text: line.slice(1), before: before++ });
    else lines.push({ kind: "same", text: line.slice(1), before: before++, after: after++ });
  }
  return lines;
}

/** One change: removed lines and the added ones in their place. */
export interface Hunk {
  /** The first removed line, or the one before which lines were added; from 1. */
  before: number;
  /** The same in the new file. */
  after: number;
  removed: string[];
  added: string[];
}

/** The separate changes of a diff: unchanged lines lie between them. */
export function hunksOf(lines: readonly DiffLine[]): Hunk[] {
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  let before = 1;
  let after = 1;
  for (const line of lines) {
    if (line.kind === "place" || line.kind === "same") {
      open = undefined;
      before = (line.before ?? before) + (line.kind === "same" ? 1 : 0);
      after = (line.after ?? after) + (line.kind === "same" ? 1 : 0);
      continue;
    }
    if (!open) {
      open = { before, after, removed: [], added: [] };
      hunks.push(open);
    }
    open[line.kind].push(line.text);
    if (line.kind === "removed") before++;
    else after++;
  }
  return hunks;
}
