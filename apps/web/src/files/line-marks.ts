/** What became of a line: `removed` says that lines before it are gone. */
export interface LineMark {
  /** From 1, in the file as it is now; one more than it has where lines at its end are gone. */
  line: number;
  kind: "added" | "changed" | "removed";
}

/** Reads a unified difference of one file as marks of its lines. A block with lines of both kinds is a change. */
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
      // A block without any line now names the line before it.
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
