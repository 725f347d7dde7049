import { memo, Suspense } from "react";
import { visibleProse } from "@treadle/protocol/safe-text";
import { lazyPart } from "../ui/lazy-part.tsx";

const markdownText = () => import("./markdown-text.tsx");
const { Part: MarkdownText, load: loadMarkdown } = lazyPart(markdownText);
export { loadMarkdown };
export const warmMarkdown = () => markdownText().then((text) => text.warmMarkdown());

/** Characters up to which text is read as Markdown; more of it is shown as it is. */
const MARKDOWN_LIMIT = 60_000;

/** What the model said. Plain until the reader of Markdown is loaded, and where it is too long for it. */
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
  if (text.length > MARKDOWN_LIMIT) return plain;
  return (
    <Suspense fallback={plain}>
      <MarkdownText text={text} streaming={streaming} />
    </Suspense>
  );
});
