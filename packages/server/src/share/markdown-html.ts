import { Lexer, type Token, type Tokens } from "marked";
import { visibleProse } from "@treadle/protocol/safe-text";
import { codeHtml } from "./highlight-code.ts";
import { escapeHtml } from "./html.ts";

/** Characters up to which text is read as Markdown; more of it is shown as it is. */
const MARKDOWN_LIMIT = 60_000;
/** Depth to which quotes and lists within each other are drawn. */
const DEEPEST = 16;

/**
 * Markdown of strangers as markup: of it only the elements that are written here, and no address that a browser would ask
 * before a click. HTML in it is shown as text.
 */
export function markdownHtml(said: string): string {
  const text = visibleProse(said);
  if (text.length > MARKDOWN_LIMIT) return `<p class="as-is">${escapeHtml(text)}</p>`;
  return blocks(Lexer.lex(text, { gfm: true }), 0);
}

const blocks = (tokens: readonly Token[], depth: number): string =>
  tokens.map((token) => block(token, depth)).join("");

function block(token: Token, depth: number): string {
  if (depth > DEEPEST) return `<p>${escapeHtml(token.raw)}</p>`;
  switch (token.type) {
    case "space":
    case "def":
      return "";
    case "heading": {
      // The page's own headings stand above those of what is said on it.
      const level = Math.min((token as Tokens.Heading).depth + 2, 6);
      return `<h${level}>${inlines(token.tokens)}</h${level}>`;
    }
    case "code": {
      const { text, lang = "" } = token as Tokens.Code;
      return codeBlock(text, /^[\w+#-]*/.exec(lang)![0]);
    }
    case "blockquote":
      return `<blockquote>${blocks(token.tokens ?? [], depth + 1)}</blockquote>`;
    case "list":
      return list(token as Tokens.List, depth);
    case "table":
      return table(token as Tokens.Table);
    case "hr":
      return "<hr>";
    case "paragraph":
      return `<p dir="auto">${inlines(token.tokens)}</p>`;
    case "text":
      return token.tokens ? inlines(token.tokens) : escapeHtml((token as Tokens.Text).text);
    default:
      return `<p>${escapeHtml(token.raw)}</p>`;
  }
}

/** A block of code. */
export const codeBlock = (code: string, language: string): string =>
  `<pre tabindex="0" dir="ltr"><code>${codeHtml(code, language)}</code></pre>`;

function list({ ordered, start, items }: Tokens.List, depth: number): string {
  const name = ordered ? "ol" : "ul";
  const from = ordered && typeof start === "number" && start !== 1 ? ` start="${start}"` : "";
  const lines = items.map(({ tokens, task, checked }) => {
    const box = task ? (checked ? "☑ " : "☐ ") : "";
    const inner = tokens.filter(({ type }) => type !== "checkbox");
    return `<li>${box}${blocks(inner, depth + 1)}</li>`;
  });
  return `<${name}${from}>${lines.join("")}</${name}>`;
}

function table({ header, rows }: Tokens.Table): string {
  const cells = (name: "th" | "td", row: Tokens.TableCell[]) =>
    `<tr>${row.map(({ tokens }) => `<${name}>${inlines(tokens)}</${name}>`).join("")}</tr>`;
  return `<div class="wide" tabindex="0"><table>${cells("th", header)}${rows.map((row) => cells("td", row)).join("")}</table></div>`;
}

const inlines = (tokens: readonly Token[] | undefined): string =>
  (tokens ?? []).map(inline).join("");

function inline(token: Token): string {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
      return `<${token.type}>${inlines(token.tokens)}</${token.type}>`;
    case "codespan":
      return `<code>${escapeHtml((token as Tokens.Codespan).text)}</code>`;
    case "br":
      return "<br>";
    case "link":
      return link((token as Tokens.Link).href, inlines(token.tokens));
    case "image": {
      const { href, text } = token as Tokens.Image;
      return link(href, escapeHtml(text === "" ? "picture" : text));
    }
    case "escape":
      return escapeHtml((token as Tokens.Escape).text);
    case "text":
      return token.tokens ? inlines(token.tokens) : plain((token as Tokens.Text).text);
    default:
      return escapeHtml(token.raw);
  }
}

/** Only to the web, and nothing is said there of where it was. */
function link(address: string, shown: string): string {
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : undefined;
  if (!url) return `<span>${shown}</span>`;
  const to = escapeHtml(url.href);
  return `<a href="${to}" title="${to}" rel="noopener noreferrer nofollow" target="_blank">${shown}</a>`;
}

/** Letters that are written by their names (`&amp;`) stay so: they make no markup. */
const plain = (text: string) =>
  escapeHtml(text).replace(/&#38;(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi, "&$1;");
