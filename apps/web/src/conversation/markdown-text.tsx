import { memo, useEffect, useReducer, useState } from "react";
import { createRoot } from "react-dom/client";
import type { MarkdownNode } from "@treadle/protocol/markdown";
import { GrownMarkdown } from "./grown-markdown.ts";
import { MarkdownElements } from "./markdown-elements.tsx";
import { createMarkdownThread } from "./markdown-thread.ts";
import { withMemory } from "./markdown-memory.ts";

/** One thread parses all long texts on the page. */
const thread = withMemory(createMarkdownThread());

/**
 * The model's text makes no request before a click: pictures are not loaded, links lead only to the web, and HTML is
 * shown as text. A long text is plain until it is parsed, and stays plain if that takes too long.
 */
export default function MarkdownText({ text, streaming }: { text: string; streaming: boolean }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [grown] = useState(() => new GrownMarkdown(thread, redraw));
  grown.write(text);
  const { blocks, plain } = grown.shown();
  return (
    <div className="min-w-0 break-words">
      {blocks.map((nodes, index) => (
        <Block key={index} nodes={nodes} isComplete={!streaming || index < blocks.length - 1} />
      ))}
      {plain.trim() !== "" && (
        <p dir="auto" className="my-1.5 whitespace-pre-wrap">
          {plain}
        </p>
      )}
    </div>
  );
}

/** One parsed block of the text. Drawn again only if its own nodes change. */
const Block = memo(function Block(props: { nodes: readonly MarkdownNode[]; isComplete: boolean }) {
  return <MarkdownElements {...props} />;
});

const WARM =
  "# A\n\nb **c** `d` [e](https://example.com)\n\n> f\n\n- g\n\n1. h\n\n| i |\n| - |\n| j |\n\n```ts\nk\n```\n";

function Warm({ onDrawn }: { onDrawn: () => void }) {
  useEffect(onDrawn);
  return <MarkdownText text={WARM} streaming />;
}

/** Draws one element of each kind off-screen, because the first drawing takes several times as long as later ones. */
export function warmMarkdown(): Promise<void> {
  const root = createRoot(document.createElement("div"));
  return new Promise((resolve) => {
    const end = () => {
      root.unmount();
      resolve();
    };
    // Unmounts outside the render that triggered it.
    root.render(<Warm onDrawn={() => void setTimeout(end)} />);
  });
}
