import { memo, Suspense } from "react";
import { visibleProse } from "@treadle/protocol/safe-text";
import { lazyPart } from "../ui/lazy-part.tsx";

const markdownText = () => import("./markdown-text.tsx");
const { Part: MarkdownText, load: loadMarkdown } = lazyPart(markdownText);
export { loadMarkdown };
export const warmMarkdown = () => markdownText().then((text) => text.warmMarkdown());

/** Maximum characters of a text that is parsed; longer ones are shown as plain text. */
const MAX_MARKDOWN_CHARS = 60_000;

/** The model's text. Plain until the Markdown parser is loaded, and if it is too long to parse. */
export const Markdown = memo(function Markdown({
  text: rawText,
  streaming,
}: {
  text: string;
  streaming: boolean;
}) {
  const text = visibleProse(rawText);
  const plain = (
    <p dir="auto" className="break-words whitespace-pre-wrap">
      {text}
    </p>
  );
  if (text.length > MAX_MARKDOWN_CHARS) return plain;
  return (
    <Suspense fallback={plain}>
      <MarkdownText text={text} streaming={streaming} />
    </Suspense>
  );
});
