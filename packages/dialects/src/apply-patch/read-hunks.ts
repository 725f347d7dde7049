import type { PatchHunk } from "./types.ts";

const RANGE = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

/**
 * Parses hunks from line `at` up to the first line for which `isEnd` holds. Counts in ranges are
 * ignored, since models get them wrong; the start line of a unified diff's hunk is a hint.
 * @param unified whether a line that cannot be part of a hunk ends them; otherwise the caller
 * rejects it
 */
export function readHunks(
  lines: readonly string[],
  at: number,
  unified: boolean,
  isEnd: (at: number) => boolean,
): { hunks: PatchHunk[]; next: number } {
  const hunks: PatchHunk[] = [];
  let hunk: PatchHunk | undefined;
  const begin = () => {
    hunk = { anchors: [], lines: [], atEnd: false };
    hunks.push(hunk);
    return hunk;
  };
  for (; at < lines.length && !isEnd(at); at++) {
    const line = lines[at]!;
    const range = RANGE.exec(line);
    if (unified && range) begin().oldStart = Number(range[1]);
    else if (!unified && line.startsWith("@@")) {
      // A hunk may have several anchors.
      if (!hunk || hunk.lines.length > 0) begin();
      const anchor = line.replace(/^@@ ?/, "").replace(/ ?@@$/, "");
      if (anchor.trim() !== "" && !RANGE.test(`@@ ${anchor} @@`)) hunk!.anchors.push(anchor);
    } else if (!unified && line.trim() === "*** End of File") {
      if (hunk) hunk.atEnd = true;
      hunk = undefined;
    } else if (unified && line.startsWith("\\")) markNoBreak(hunk);
    else if (line === "" || " -+".includes(line[0]!)) {
      if (!hunk && !unified) begin();
      hunk?.lines.push({ kind: (line[0] ?? " ") as " ", text: line.slice(1) });
    } else if (hunk || !unified) break;
  }
  return { hunks, next: at };
}

/** Applies `\ No newline at end of file` to the line before it. */
function markNoBreak(hunk: PatchHunk | undefined): void {
  const last = hunk?.lines.at(-1);
  if (!hunk || !last) return;
  hunk.atEnd = true;
  hunk.noBreak = {
    ...hunk.noBreak,
    ...(last.kind !== "+" && { old: true }),
    ...(last.kind !== "-" && { new: true }),
  };
}
