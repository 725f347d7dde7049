import { memo, useEffect, useReducer, useState } from "react";
import { createRoot } from "react-dom/client";
import type { MarkdownNode } from "@treadle/protocol/markdown";
import { GrownMarkdown } from "./grown-markdown.ts";
import { MarkdownElements } from "./markdown-elements.tsx";
import { createMarkdownThread } from "./markdown-thread.ts";
import { withMemory } from "./markdown-memory.ts";

/** One thread reads all texts of the page that are long. */
const thread = withMemory(createMarkdownThread());

/**
 * A model's words make no request before a click: no picture is loaded, a link leads only to the web, and HTML is shown as
 * text. A long text is plain until it is read, and stays so if it takes too long.
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

/** Drawn again only if its own nodes change. */
const Block = memo(function Block(props: { nodes: readonly MarkdownNode[]; isComplete: boolean }) {
  return <MarkdownElements {...props} />;
});

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
