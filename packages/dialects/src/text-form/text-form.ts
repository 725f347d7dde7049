import { diffLines } from "../diff/diff-lines.ts";

const LINE_END = /\r\n|\r|\n/g;
/** The byte-order mark; a concatenated file may begin with several. */
const MARKS = /^\ufeff*/;

/** The text with line feeds and without its byte-order mark, as editors hold it. */
export const plainText = (text: string): string => withoutMark(text).replace(LINE_END, "\n");

/**
 * Gives a new text the form of the file that it replaces: its byte-order mark or none, and its line
 * endings. In a file with mixed endings, each unchanged line keeps its own, and a new line takes
 * that of the line in its place or before it. If the file has no line break, the new text keeps its
 * own.
 * @param original the current file; if empty, the text is returned unchanged
 */
export function inFormOf(original: string, text: string): string {
  if (original === "" || original === text) return text;
  const mark = MARKS.exec(original)![0];
  const ends = new Set(original.match(LINE_END));
  const [end] = ends;
  const body = withoutMark(text);
  if (end === undefined) return mark + body;
  // A lone carriage return ends a line only in files that use it so; elsewhere it is an ordinary
  // character.
  const anyEnd = ends.has("\r") ? LINE_END : /\r\n|\n/g;
  if (ends.size === 1) return mark + body.replace(anyEnd, end);
  return mark + withEndsOf(withoutMark(original), body.split(anyEnd));
}

const withoutMark = (text: string) => text.replace(MARKS, "");

/** Joins lines with the endings of the same lines in a text with mixed endings. */
function withEndsOf(original: string, lines: readonly string[]): string {
  const before = original.split(LINE_END);
  const ends = original.match(LINE_END) ?? [];
  /** The ending of an old line; for the last one, which has none, that of the line before. */
  const endOf = (line: number) => ends[Math.max(0, Math.min(line, ends.length - 1))]!;
  const joined: string[] = [];
  let old = 0;
  let next = 0;
  let last = "";
  const add = (line: number) => {
    const own = next < lines.length - 1 ? endOf(line) : "";
    // After a carriage return, the line feed of an empty line would not end a separate line.
    last = last === "\r" && lines[next] === "" && own === "\n" ? "\r" : own;
    joined.push(lines[next]!, last);
    next++;
  };
  for (const { oldFrom, oldTo, newTo } of diffLines(before, lines)) {
    while (old < oldFrom) add(old++);
    // Surplus new lines end like the last replaced one; pure additions like the line before.
    for (; next < newTo; old++) add(Math.min(old, Math.max(oldTo, oldFrom) - 1));
    old = oldTo;
  }
  while (next < lines.length) add(old++);
  return joined.join("");
}
