import { headOf, tailOf } from "@treadle/protocol/safe-text";

/**
 * Keeps the beginning and the end of a text over `limit` characters, with a line between them that says how much was
 * left out. The result has at most `limit` characters plus that line.
 */
export function clipMiddle(text: string, limit: number, where = ""): string {
  if (text.length <= limit) return text;
  const { head, tail } = clipEnds(text, limit);
  const left = text.length - head.length - tail.length;
  return `${head}\n… ${left} characters left out${where ? `; ${where}` : ""} …\n${tail}`;
}

/** The beginning and the end to keep of a text that is longer than `limit` characters. */
export function clipEnds(text: string, limit: number): { head: string; tail: string } {
  const length = Math.ceil(limit * 0.4);
  return { head: headOf(text, length), tail: tailOf(text, limit - length) };
}

/** The text on one line, cut at `limit` characters, for titles and summaries. */
export function clipLine(text: string, limit: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= limit ? line : `${headOf(line, limit - 1)}…`;
}
