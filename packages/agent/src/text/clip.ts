/**
 * Keeps the beginning and the end of a text that is longer than `limit` characters, with a line between them that
 * says how much was left out. The result is at most `limit` characters plus that line.
 */
export function clipMiddle(text: string, limit: number, where = ""): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit * 0.4);
  const tail = limit - head;
  const left = text.length - limit;
  return `${text.slice(0, head)}\n… ${left} characters left out${where ? `; ${where}` : ""} …\n${text.slice(-tail)}`;
}

/** Keeps the beginning, on one line, for titles and summaries. */
export function clipLine(text: string, limit: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
