import { highlightClasses } from "./highlight-style.ts";

/** What the words of a language server may be made of: they come out of the project's files and packages. */
const TAGS = new Set(
  "a b strong i em code pre p br hr ul ol li h1 h2 h3 h4 h5 h6 blockquote table thead tbody tr th td del span".split(
    " ",
  ),
);

/**
 * The same HTML with nothing in it but text in known elements; a link leads to the web and opens in a tab of its own, and
 * of classes only those that colour code are kept. What it is read with runs no script and loads nothing.
 */
export function safeHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const into = document.createElement("div");
  copy(body, into);
  return into.innerHTML;
}

function copy(from: Node, into: Element): void {
  for (const node of from.childNodes) {
    if (node instanceof Text) into.append(node.data);
    if (!(node instanceof HTMLElement)) continue;
    const tag = node.localName;
    if (!TAGS.has(tag)) {
      // Its words are kept, but not those of a script or a style.
      if (!/^(?:script|style|template|noscript|iframe|object|textarea|title)$/.test(tag))
        copy(node, into);
      continue;
    }
    const element = document.createElement(tag);
    if (tag === "a" && node.getAttribute("href")?.startsWith("https://")) {
      element.setAttribute("href", node.getAttribute("href") ?? "");
      element.setAttribute("target", "_blank");
      element.setAttribute("rel", "noreferrer");
    }
    const classes = tag === "span" ? highlightClasses(node.className) : "";
    if (classes !== "") element.className = classes;
    copy(node, element);
    into.append(element);
  }
}
