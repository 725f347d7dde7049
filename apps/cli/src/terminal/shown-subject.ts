import { visibleExactly } from "@treadle/protocol/safe-text";

/** So many spaces in a row that they could push the following text out of sight. */
const GAP = /[^\S\n]{13,}/g;

/**
 * The subject of a question, line by line: hidden characters are made visible and blank stretches
 * are shortened, so that nothing is pushed out of sight (A42).
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
