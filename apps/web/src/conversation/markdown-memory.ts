import type { MarkdownThread } from "./markdown-thread.ts";
import type { ReadMarkdown } from "./read-markdown.ts";

/** Maximum characters of texts whose results are cached. */
const MAX_CHARS = 1_000_000;

/** Caches parsed texts and texts that timed out, because turns are drawn again as they scroll into view. */
export function withMemory(thread: MarkdownThread, maxChars = MAX_CHARS): MarkdownThread {
  const known = new Map<string, Promise<ReadMarkdown | undefined>>();
  let total = 0;
  return {
    read(text) {
      const remembered = known.get(text);
      if (remembered) return remembered;
      const reading = thread.read(text);
      known.set(text, reading);
      total += text.length;
      for (const oldest of known.keys()) {
        if (total <= maxChars) break;
        known.delete(oldest);
        total -= oldest.length;
      }
      return reading;
    },
  };
}
