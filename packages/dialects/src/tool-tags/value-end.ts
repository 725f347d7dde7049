/**
 * Whether a call ends at an unexpected closing tag in a value: its tool's, or its parameter's, if
 * another one was opened in it. The text after it decides: if the expected closing tag follows,
 * this one is content; if a call begins on a line, or the message ends, it was the end.
 */
export interface ValueEnd {
  /** Position after the tag. */
  from: number;
  /** Number of characters already searched. */
  looked: number;
  /** The name of the expected closing tag. */
  written: string;
  /** Tags that begin a call. */
  names: readonly string[];
  isWhole: boolean;
  /** Whether a closing fence after it means that it was the end. */
  inFence: boolean;
}

/** Maximum length of a tag that began before the searched part, in characters. */
const OVERLAP = 400;

/** Number of characters searched at a time. */
const FAR = 131_072;

export function behindEnd(
  text: string,
  { from, looked, written, names, isWhole, inFence }: ValueEnd,
): "end" | "content" | "more" {
  if (inFence && /^\s*\n *(?:`{3,}|~{3,})[ \t]*\r?(?:\n|$)/.test(text.slice(from))) return "end";
  const start = Math.max(from, looked - OVERLAP);
  const rest = text.slice(start);
  const closing = rest.indexOf(`</${written}>`);
  const begins = start === from ? "(?:^|\\n)" : "\\n";
  // Text after that is irrelevant.
  const area = rest.slice(0, closing === -1 ? FAR : closing);
  const opening = area.search(
    new RegExp(`${begins}[ \\t]{0,200}<(?:${names.join("|")}|invoke|function_calls)[\\s>]`),
  );
  if (closing !== -1 && (opening === -1 || closing < opening)) return "content";
  return opening !== -1 || isWhole ? "end" : "more";
}
