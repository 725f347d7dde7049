import { highlightClasses } from "./highlight-style.ts";

/** Tags allowed in documentation from a language server, which comes from the project's files and packages. */
const TAGS = new Set(
  "a b strong i em code pre p br hr ul ol li h1 h2 h3 h4 h5 h6 blockquote table thead tbody tr th td del span".split(
    " ",
  ),
);

/**
 * Sanitises HTML to text in known elements. Links lead only to the web and open in a new tab; of classes, only those that
 * colour code are kept. The parser runs no scripts and loads nothing.
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
      // Keeps the element's text, except that of scripts and styles.
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
