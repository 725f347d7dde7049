import { FetchRefused, fetchPublic } from "../../fetch/fetch-public.ts";
import { pageMarkdown } from "../../fetch/page-markdown.ts";
import { clipMiddle } from "../../text/clip.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { PAGE_MENTIONED } from "./limits.ts";
import type { ResolveMention } from "./types.ts";

/** Resolves the content of a public web page (A39). Needs no approval, since the person gave the address. */
export const mentionedUrl: ResolveMention<"url"> = async (
  { url },
  { signal, fetch = fetchPublic },
) => {
  try {
    const page = await fetch(url, { signal });
    if (page.status >= 400) return { ok: false, said: `the page answered ${page.status}` };
    if (!/^(?:text\/|application\/(?:json|xml|xhtml))/.test(page.contentType))
      return { ok: false, said: `it is not text (${page.contentType || "of no known type"})` };
    const text = visibleText(await pageMarkdown(page.contentType, page.bytes, signal)).trim();
    const cut = page.cut || text.length > PAGE_MENTIONED;
    const content = clipMiddle(text, PAGE_MENTIONED);
    return { ok: true, said: cut ? "the page's text, cut" : "the page's text", content };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof FetchRefused ? error.message : "it could not be reached";
    return { ok: false, said: reason };
  }
};
