import { CodeBlock } from "./code-block.tsx";
import { useEffect } from "react";
import { createRoot } from "react-dom/client";
import { Streamdown, type Components, type UrlTransform } from "streamdown";

/**
 * A model's words make no request before a click: no picture is loaded, a link goes only to the web, and HTML is
 * shown as text.
 */
const toWebOnly: UrlTransform = (url) => (/^https?:\/\//i.test(url) ? url : "");

const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <a
        href={href}
        title={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent underline underline-offset-2"
      >
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => {
    const name = alt === undefined || alt === "" ? "picture" : alt;
    const address = typeof src === "string" ? toWebOnly(src, "src", undefined as never) : "";
    return address ? (
      <a
        href={address}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent underline underline-offset-2"
      >
        {name}
      </a>
    ) : (
      <span className="text-quiet">[{name}]</span>
    );
  },
  h1: ({ children }) => (
    <h3 dir="auto" className="mt-3 text-large font-semibold">
      {children}
    </h3>
  ),
  h2: ({ children }) => (
    <h3 dir="auto" className="mt-3 text-large font-semibold">
      {children}
    </h3>
  ),
  h3: ({ children }) => (
    <h4 dir="auto" className="mt-2 font-semibold">
      {children}
    </h4>
  ),
  h4: ({ children }) => (
    <h4 dir="auto" className="mt-2 font-semibold">
      {children}
    </h4>
  ),
  p: ({ children }) => (
    <p dir="auto" className="my-1.5">
      {children}
    </p>
  ),
  ul: ({ children }) => (
    <ul dir="auto" className="my-1.5 list-disc space-y-0.5 ps-5">
      {children}
    </ul>
  ),
  ol: ({ children }) => (
    <ol dir="auto" className="numbers my-1.5 list-decimal space-y-0.5 ps-8">
      {children}
    </ol>
  ),
  li: ({ children }) => <li>{children}</li>,
  blockquote: ({ children }) => (
    <blockquote dir="auto" className="my-1.5 border-s-2 border-line ps-3 text-quiet">
      {children}
    </blockquote>
  ),
  code: ({ children }) => <code className="font-mono text-small">{children}</code>,
  inlineCode: ({ children }) => (
    <code className="rounded bg-hover px-1 py-px font-mono text-small">{children}</code>
  ),
  table: ({ children }) => (
    <div className="my-2 overflow-x-auto">
      <table dir="auto" className="border-collapse text-small">
        {children}
      </table>
    </div>
  ),
  th: ({ children }) => (
    <th dir="auto" className="border border-line px-2 py-1 text-start font-semibold">
      {children}
    </th>
  ),
  td: ({ children }) => (
    <td dir="auto" className="border border-line px-2 py-1">
      {children}
    </td>
  ),
  hr: () => <hr className="my-3 border-line" />,
};

/** Code that still comes is coloured once it is whole. */
const coming: Components = {
  ...components,
  pre: ({ children }) => <CodeBlock whole={false}>{children}</CodeBlock>,
};
const whole: Components = {
  ...components,
  pre: ({ children }) => <CodeBlock whole>{children}</CodeBlock>,
};

export default function MarkdownText({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Streamdown
      mode={streaming ? "streaming" : "static"}
      controls={false}
      skipHtml
      rehypePlugins={[]}
      urlTransform={toWebOnly}
      linkSafety={{ enabled: false }}
      components={streaming ? coming : whole}
      className="min-w-0 break-words"
    >
      {text}
    </Streamdown>
  );
}

const WARM =
  "# A\n\nb **c** `d` [e](https://example.com)\n\n> f\n\n- g\n\n1. h\n\n| i |\n| - |\n| j |\n\n```ts\nk\n```\n";

function Warm({ onDrawn }: { onDrawn: () => void }) {
  useEffect(onDrawn);
  return <MarkdownText text={WARM} streaming />;
}

/** Draws a little of each kind where nobody sees it: the first time costs several times what every later one does. */
export function warmMarkdown(): Promise<void> {
  const root = createRoot(document.createElement("div"));
  return new Promise((resolve) => {
    const end = () => {
      root.unmount();
      resolve();
    };
    // Not from within the drawing that is to be ended.
    root.render(<Warm onDrawn={() => void setTimeout(end)} />);
  });
}
