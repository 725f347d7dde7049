import { offThread, ParserFailure } from "@treadle/parsing";
import { headOf } from "@treadle/protocol/safe-text";
import type { parse } from "./html-markdown.parser.ts";

/** Maximum number of characters of HTML that are converted. */
const MAX_HTML_CHARS = 1_000_000;
/** Time limit for one page, in milliseconds. A long article takes a tenth of a second. */
const LIMIT_MS = 5_000;

const htmlMarkdown = offThread<typeof parse>(import.meta.url, "./html-markdown.parser.ts", {
  limitMs: LIMIT_MS,
});

/**
 * Formats a fetched text for the model: HTML becomes Markdown. HTML that takes too long to convert stays unchanged,
 * with a first line that says so.
 * @throws the signal's reason if it is aborted
 */
export async function pageMarkdown(
  contentType: string,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<string> {
  const text = new TextDecoder(charsetOf(contentType)).decode(bytes);
  if (!/html/.test(contentType)) return text;
  const html = headOf(text, MAX_HTML_CHARS);
  try {
    return await htmlMarkdown({ lane: "pages", signal }, html);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ParserFailure)) throw error;
    return `(This page could not be converted from HTML, so this is its source.)\n\n${html}`;
  }
}

function charsetOf(contentType: string): string {
  const named = /charset="?([\w-]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return "utf-8";
  }
}
