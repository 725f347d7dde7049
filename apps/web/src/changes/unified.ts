export type DiffLine = {
  kind: "same" | "added" | "removed" | "place";
  text: string;
  /** Line numbers in the old and the new file. */
  before?: number;
  after?: number;
};

/** Reads a unified difference of one file. Headers are left out; a line of no known kind counts as unchanged. */
export function readUnified(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const place = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line);
    if (place) {
      before = Number(place[1]);
      after = Number(place[2]);
      inside = true;
      lines.push({ kind: "place", text: place[3]?.trim() ?? "" });
    } else if (!inside || line.startsWith("\\")) continue;
    else if (line.startsWith("+"))
      lines.push({ kind: "added", text: line.slice(1), after: after++ });
    else if (line.startsWith("-"))
      lines.push({ kind: "removed", text: line.slice(1), before: before++ });
    else lines.push({ kind: "same", text: line.slice(1), before: before++, after: after++ });
  }
  return lines;
}
