import { createElement, type ReactNode } from "react";
import type { MarkdownElement, MarkdownNode } from "@treadle/protocol/markdown";
import { CodeBlock } from "./code-block.tsx";

const LINK = "text-accent underline underline-offset-2";

/** Elements with the same name in HTML. Headings are smaller than the page's own. */
const PLAIN: Partial<Record<MarkdownElement["tag"], { tag: string; className?: string }>> = {
  h1: { tag: "h3", className: "mt-3 text-large font-semibold" },
  h2: { tag: "h3", className: "mt-3 text-large font-semibold" },
  h3: { tag: "h4", className: "mt-2 font-semibold" },
  h4: { tag: "h4", className: "mt-2 font-semibold" },
  h5: { tag: "h5", className: "mt-2 font-semibold" },
  h6: { tag: "h6", className: "mt-2 font-semibold" },
  p: { tag: "p", className: "my-1.5" },
  ul: { tag: "ul", className: "my-1.5 list-disc space-y-0.5 ps-5" },
  blockquote: { tag: "blockquote", className: "my-1.5 border-s-2 border-line ps-3 text-quiet" },
  th: { tag: "th", className: "border border-line px-2 py-1 text-start font-semibold" },
  td: { tag: "td", className: "border border-line px-2 py-1" },
};

/**
 * Draws parsed Markdown.
 * @param props.isComplete whether the text is complete; code in a growing text is coloured up to its last complete line
 */
export function MarkdownElements(props: { nodes: readonly MarkdownNode[]; isComplete: boolean }) {
  return <>{drawn(props.nodes, props.isComplete)}</>;
}

const drawn = (nodes: readonly MarkdownNode[], isComplete: boolean): ReactNode[] =>
  nodes.map((node, index) => (typeof node === "string" ? node : element(node, index, isComplete)));

function element(node: MarkdownElement, key: number, isComplete: boolean): ReactNode {
  const { tag, href, start, language, children } = node;
  const inside = () => drawn(children, isComplete);
  switch (tag) {
    case "hr":
      return <hr key={key} className="my-3 border-line" />;
    case "br":
      return <br key={key} />;
    case "pre":
      return <CodeBlock key={key} code={String(children[0] ?? "")} language={language} isComplete={isComplete} />; // prettier-ignore
    case "code":
      return (
        <code key={key} className="rounded bg-hover px-1 py-px font-mono text-small">
          {inside()}
        </code>
      );
    case "ol":
      return (
        <ol
          key={key}
          dir="auto"
          start={start}
          className="numbers my-1.5 list-decimal space-y-0.5 ps-8"
        >
          {inside()}
        </ol>
      );
    case "table":
      return (
        <div key={key} className="my-2 overflow-x-auto">
          <table dir="auto" className="border-collapse text-small">
            {inside()}
          </table>
        </div>
      );
    case "a":
      return href === undefined ? <span key={key}>{inside()}</span> : link(href, inside(), key);
    case "picture": {
      const name = children.length > 0 ? inside() : "picture";
      if (href !== undefined) return link(href, name, key);
      return (
        <span key={key} className="text-quiet">
          [{name}]
        </span>
      );
    }
    default: {
      const plain = PLAIN[tag];
      if (!plain) return createElement(tag, { key }, ...inside());
      return createElement(
        plain.tag,
        { key, dir: "auto", className: plain.className },
        ...inside(),
      );
    }
  }
}

const link = (href: string, shown: ReactNode, key: number) => (
  <a
    key={key}
    href={href}
    title={href}
    target="_blank"
    rel="noopener noreferrer nofollow"
    className={LINK}
  >
    {shown}
  </a>
);
