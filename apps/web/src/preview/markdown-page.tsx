import type { ReactNode } from "react";
import { words } from "../words/words.ts";
import type { MarkdownPage } from "./use-markdown-page.ts";

/** Switches between rendered Markdown and its text. The frame itself shows the text. */
export function MarkdownSwitch({ page }: { page: MarkdownPage }) {
  const views = [
    { isRendered: true, name: words.preview.rendered },
    { isRendered: false, name: words.preview.asText },
  ];
  return (
    <div
      role="group"
      aria-label={words.preview.markdown}
      className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-1 text-small"
    >
      <span className="mr-auto text-quiet">{words.preview.markdown}</span>
      {views.map(({ isRendered, name }) => (
        <button
          key={name}
          type="button"
          aria-pressed={page.isRendered === isRendered}
          onClick={() => page.setRendered(isRendered)}
          className="h-7 rounded px-2 text-quiet hover:bg-hover aria-pressed:bg-hover aria-pressed:text-ink pointer-coarse:min-h-11"
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** Rendered Markdown of the app, drawn over the app's frame. */
export function RenderedMarkdown({ children }: { children: ReactNode }) {
  return (
    <article
      aria-label={words.preview.rendered}
      tabIndex={0}
      className="absolute inset-0 overflow-auto bg-paper p-6 max-wide:p-4"
    >
      <div className="mx-auto max-w-3xl">{children}</div>
    </article>
  );
}
