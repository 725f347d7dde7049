/** How a line changed. `removed` means that lines before it were deleted. */
export interface LineMark {
  /** Counted from 1 in the current file; one past the end if the last lines were deleted. */
  line: number;
  kind: "added" | "changed" | "removed";
}

/** Parses a unified diff of one file into line marks. A hunk that both removes and adds lines is a change. */
export function lineMarks(diff: string): LineMark[] {
  const marks: LineMark[] = [];
  let line = 0;
  let removed = 0;
  let added: number[] = [];
  let inside = false;
  const settle = () => {
    const kind = removed > 0 ? "changed" : "added";
    for (const one of added) marks.push({ line: one, kind });
    if (added.length === 0 && removed > 0) marks.push({ line, kind: "removed" });
    removed = 0;
    added = [];
  };
  for (const text of diff.split("\n")) {
    const place = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (place) {
      settle();
      // The header of a hunk that adds no line has the number of the line before it.
      line = Number(place[1]) + (place[2] === "0" ? 1 : 0);
      inside = true;
    } else if (!inside || text.startsWith("\\")) continue;
    else if (text.startsWith("-")) removed++;
    else if (text.startsWith("+")) added.push(line++);
    else {
      settle();
      line++;
    }
  }
  settle();
  return marks;
}
