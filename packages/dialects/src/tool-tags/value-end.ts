/**
 * Whether a call ends at a closing tag that stands in a value and is not the one that was to come: its tool's, or its
 * parameter's, where another one was opened in it. What follows tells: the closing tag that was to come says that this one is
 * content; a call that begins on a line, or the message's end, that it was the end.
 */
export interface ValueEnd {
  /** Behind the tag. */
  from: number;
  /** What was looked through before. */
  looked: number;
  /** The name of the closing tag that was to come. */
  written: string;
  /** Tags that begin a call. */
  names: readonly string[];
  isWhole: boolean;
  /** A closing fence behind it says that it was the end. */
  inFence: boolean;
}

/** Characters that a tag at the end of what was looked through may have before. */
const OVERLAP = 400;

/** Characters that are looked through at once. */
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
  // What stands behind that says no more.
  const area = rest.slice(0, closing === -1 ? FAR : closing);
  const opening = area.search(
    new RegExp(`${begins}[ \\t]{0,200}<(?:${names.join("|")}|invoke|function_calls)[\\s>]`),
  );
  if (closing !== -1 && (opening === -1 || closing < opening)) return "content";
  return opening !== -1 || isWhole ? "end" : "more";
}
