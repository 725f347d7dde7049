import { createMarkdownExit } from "markdown-exit";
import { markdownTree, type MarkdownElement, type MarkdownNode } from "@treadle/protocol/markdown";
import { parse as codeHtml } from "./code-html.parser.ts";
import { escapeHtml } from "./html.ts";
import { plainHtml } from "./plain-html.ts";

const markdown = createMarkdownExit({ html: false, linkify: true });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/**
 * Renders untrusted Markdown as HTML. The result contains only elements created here, and no
 * address that a browser requests before a click. HTML in it is shown as text; a text that nests
 * too deeply is shown as plain text.
 */
export function parse(text: string): string {
  const tree = markdownTree(markdown.parse(text));
  return tree ? htmlOf(tree) : plainHtml(text);
}

const htmlOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? escapeHtml(node) : elementHtml(node))).join("");

function elementHtml({ tag, href, start, language, children }: MarkdownElement): string {
  const inside = () => htmlOf(children);
  switch (tag) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6": {
      // Headings in a message rank below the page's own.
      const level = Math.min(Number(tag[1]) + 2, 6);
      return `<h${level}>${inside()}</h${level}>`;
    }
    case "p":
      return `<p dir="auto">${inside()}</p>`;
    case "ol":
      return `<ol${start === undefined ? "" : ` start="${start}"`}>${inside()}</ol>`;
    case "pre":
      return `<pre tabindex="0" dir="ltr"><code>${codeHtml(String(children[0] ?? ""), language ?? "")}</code></pre>`;
    case "table":
      return `<div class="wide" tabindex="0"><table>${inside()}</table></div>`;
    case "a":
      return link(href, inside());
    case "picture":
      return link(href, children.length > 0 ? inside() : "picture");
    case "hr":
    case "br":
      return `<${tag}>`;
    default:
      return `<${tag}>${inside()}</${tag}>`;
  }
}

/** A link that opens in a new tab without a referrer. */
function link(address: string | undefined, shown: string): string {
  if (address === undefined) return `<span>${shown}</span>`;
  const to = escapeHtml(address);
  return `<a href="${to}" title="${to}" rel="noopener noreferrer nofollow" target="_blank">${shown}</a>`;
}
