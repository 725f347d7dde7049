import { markIn } from "./marks.ts";

/** Maximum length of the quotation, and of the searched text, in characters. */
const QUOTED = 60;
const MOST = 400_000;

const ASIDE = /<!--|<(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)>/gi;
/** A value of dots, which marks an example of a call. */
const DOTS = /^\s*(?:\.{3}|…)\s*$|>\s*(?:\.{3}|…)\s*<|"(?:\.{3}|…)"|\s\.{3}>/;
const EXAMPLE = /\b(?:for example|for instance|e\.g\.|example|like this|so)\b[^.!?]{0,40}:\s*$/i;

/**
 * Finds a call in the prose of an answer of which nothing was executed: returns the beginning of
 * the first line that acts. Code, closed reasoning, comments and quotations only mention calls;
 * unclosed reasoning may hide an intended one.
 */
export function unreadCall(answer: string): string | undefined {
  const text = withoutAsides(answer.slice(0, MOST));
  let fence = "";
  let before = "";
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const written = line.trim();
    const [marks = ""] = /^(?:`{3,}|~{3,})/.exec(written) ?? [];
    if (fence !== "") {
      if (marks.startsWith(fence) && written === marks) fence = "";
      continue;
    }
    // Escaped backticks do not begin code.
    const plain = written.startsWith("\\`") ? written : written.replaceAll(/`[^`]*`/g, "");
    if (marks !== "") fence = marks;
    else if (
      !written.startsWith(">") &&
      !EXAMPLE.test(before) &&
      markIn(plain) &&
      !lines.slice(at, at + 4).some(isDots)
    )
      return written.slice(0, QUOTED);
    if (written !== "") before = written;
  }
  return undefined;
}

/** Removes comments and closed reasoning. */
function withoutAsides(text: string): string {
  const pieces: string[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const { 0: open, index } of text.matchAll(ASIDE)) {
    if (index < from || unclosed.has(open)) continue;
    const close = open === "<!--" ? "-->" : open.replace("<", "</");
    const end = text.indexOf(close, index);
    if (end === -1) unclosed.add(open);
    else {
      pieces.push(text.slice(from, index));
      from = end + close.length;
    }
  }
  return [...pieces, text.slice(from)].join("\n");
}

const isDots = (line: string) => DOTS.test(line);
