import { diffLines } from "../diff/diff-lines.ts";

const LINE_END = /\r\n|\r|\n/g;
/** The byte-order mark; a file that was joined from others may begin with several. */
const MARKS = /^\ufeff*/;

/** The text with line feeds and without its byte-order mark, as editors hold it. */
export const plainText = (text: string): string => withoutMark(text).replace(LINE_END, "\n");

/**
 * A new text in the form of the file that it replaces: with the byte-order mark that the file has or has not, and with its
 * line ends. If the file has several kinds of them, each line that stays keeps its own, and a new line ends as the line in
 * its place or before it did. A file without a line end says nothing of them, so those of the new text stay.
 * @param original the file as it is; empty: it has no form, and the text is returned as it is
 */
export function inFormOf(original: string, text: string): string {
  if (original === "" || original === text) return text;
  const mark = MARKS.exec(original)![0];
  const ends = new Set(original.match(LINE_END));
  const [end] = ends;
  const body = withoutMark(text);
  if (end === undefined) return mark + body;
  // A carriage return alone ends a line only in files where it does: elsewhere it is a character of the text.
  const anyEnd = ends.has("\r") ? LINE_END : /\r\n|\n/g;
  if (ends.size === 1) return mark + body.replace(anyEnd, end);
  return mark + withEndsOf(withoutMark(original), body.split(anyEnd));
}

const withoutMark = (text: string) => text.replace(MARKS, "");

/** Joins lines with the ends that the same lines have in a text with several kinds of line ends. */
function withEndsOf(original: string, lines: readonly string[]): string {
  const before = original.split(LINE_END);
  const ends = original.match(LINE_END) ?? [];
  /** The end of an old line; of the last one, which has none, that of the line before. */
  const endOf = (line: number) => ends[Math.max(0, Math.min(line, ends.length - 1))]!;
  const joined: string[] = [];
  let old = 0;
  let next = 0;
  let last = "";
  const add = (line: number) => {
    const own = next < lines.length - 1 ? endOf(line) : "";
    // Behind a carriage return, the line feed of an empty line would end no line of its own.
    last = last === "\r" && lines[next] === "" && own === "\n" ? "\r" : own;
    joined.push(lines[next]!, last);
    next++;
  };
  for (const { oldFrom, oldTo, newTo } of diffLines(before, lines)) {
    while (old < oldFrom) add(old++);
    // Lines beyond those that they replace end as the last of them; pure additions as the line before.
    for (; next < newTo; old++) add(Math.min(old, Math.max(oldTo, oldFrom) - 1));
    old = oldTo;
  }
  while (next < lines.length) add(old++);
  return joined.join("");
}
