import { z } from "zod";
import { FetchRefused, fetchPublic } from "../fetch/fetch-public.ts";
import { pageMarkdown } from "../fetch/page-markdown.ts";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { fence } from "../text/fence.ts";
import { prose } from "../text/prose.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { sentence } from "@treadle/protocol/sentences";
import { defineTool, done, refused } from "./tool.ts";

/** Maximum length of a page for the model, in characters. */
const PAGE = 15_000;

/**
 * Redirects stay on the approved host: one of its pages could lead anywhere, with any data in the
 * address.
 */
const follows = (to: URL, from: URL) => bare(to) === bare(from);
const bare = ({ host }: URL) => host.replace(/^www\./, "");

/** Shows a public web page. Needs approval, since the address itself can carry data out (A27). */
export const fetchUrl = defineTool({
  name: "fetch_url",
  description: prose(new URL("./fetch-url.md", import.meta.url)),
  input: z.object({ url: z.string() }),
  subject: ({ url }) => ({ kind: "outside", what: [URL.parse(url)?.host ?? url] }),
  async execute({ url }, { signal }) {
    const shown = clipLine(visibleText(url), 120);
    try {
      const page = await fetchPublic(url, { signal, follows });
      if (page.status >= 400)
        return refused(sentence("not-read", { path: shown }), `${shown} answered ${page.status}.`);
      if (!/^(?:text\/|application\/(?:json|xml|xhtml))/.test(page.contentType))
        return refused(
          sentence("not-read", { path: shown }),
          `${shown} is no text (${page.contentType}).`,
        );
      const text = visibleText(await pageMarkdown(page.contentType, page.bytes, signal)).trim();
      return done(
        sentence("read", { path: shown }),
        `${visibleText(page.url)} says:\n${fence("page", clipMiddle(text, PAGE))}`,
      );
    } catch (error) {
      signal.throwIfAborted();
      const why =
        error instanceof FetchRefused ? visibleText(error.message) : "It could not be reached.";
      return refused(sentence("not-read", { path: shown }), why);
    }
  },
});
