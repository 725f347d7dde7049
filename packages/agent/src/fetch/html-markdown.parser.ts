import TurndownService from "turndown";

/** Converts HTML to Markdown, without scripts and menus. */
export const parse = (html: string): string =>
  new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" })
    .remove(["script", "style", "noscript", "iframe", "svg", "template", "nav", "footer"])
    .turndown(html);
