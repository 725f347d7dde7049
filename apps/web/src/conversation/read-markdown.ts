import { createMarkdownExit } from "markdown-exit";
import { markdownTree, type MarkdownNode } from "@treadle/protocol/markdown";

/** Markdown as it is drawn. */
export interface ReadMarkdown {
  /** Undefined if the text has too many elements; it is then shown as plain text. */
  nodes: MarkdownNode[] | undefined;
  /** Offset of the last block, in characters. Text before it no longer changes as the text grows. */
  lastBlock: number;
}

const markdown = createMarkdownExit({ html: false, linkify: true });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** Parses Markdown. The worst texts take quadratic time. */
export function readMarkdown(text: string): ReadMarkdown {
  const tokens = markdown.parse(text);
  const last = tokens.findLast(({ level, map }) => level === 0 && map !== null);
  return { nodes: markdownTree(tokens), lastBlock: offsetOf(text, last?.map?.[0] ?? 0) };
}

/** The offset of a line, which is counted from 0; the start of the last line if the text has fewer. */
function offsetOf(text: string, line: number): number {
  let at = 0;
  for (let left = line; left > 0; left--) {
    const end = text.indexOf("\n", at);
    if (end < 0) return at;
    at = end + 1;
  }
  return at;
}
