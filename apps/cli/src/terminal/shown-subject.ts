import { visibleExactly } from "@treadle/protocol/safe-text";

/** So many blanks on end push what follows out of sight. */
const GAP = /[^\S\n]{13,}/g;

/**
 * What a person is asked about, line by line: nothing of it hides, and what is empty in it takes no room, so that nothing is
 * pushed out of sight (A42).
 */
export function shownSubject(what: string): string[] {
  const lines: string[] = [];
  let empty = 0;
  for (const line of visibleExactly(what.replaceAll(/\r\n?/g, "\n")).trimEnd().split("\n")) {
    if (line.trim() === "") {
      empty++;
      continue;
    }
    if (empty > 0 && lines.length + empty > 1)
      lines.push(empty === 1 ? "" : `[${empty} empty lines]`);
    empty = 0;
    lines.push(line.replaceAll(GAP, (gap) => ` [${gap.length} spaces] `));
  }
  return lines;
}
