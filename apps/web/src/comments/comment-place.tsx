import type { CommentAnchor } from "@treadle/protocol";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import type { NewAnchor } from "../api/comments.ts";
import { historyLines } from "../fold/history-lines.ts";
import { useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/** Names the line, element or checkpoint that a thread is about. `line`: its current line number, if known. */
export function PlaceName({
  anchor,
  line,
}: {
  anchor: CommentAnchor | NewAnchor;
  line: number | undefined;
}) {
  const title = useView((view) =>
    anchor.kind === "checkpoint"
      ? historyLines(view).find(({ checkpoint }) => checkpoint === anchor.checkpoint)?.title
      : undefined,
  );
  switch (anchor.kind) {
    case "line":
      return (
        <span className="font-mono text-small break-all">
          {visible(anchor.path)}
          {line !== undefined && `:${line}`}
        </span>
      );
    case "element":
      return (
        <span className="text-small break-all">
          <span className="font-mono">{visible(anchor.label || anchor.tag)}</span>{" "}
          <span className="text-quiet">
            {words.comments.onPage({ page: visible(anchor.page) })}
          </span>
        </span>
      );
    case "checkpoint":
      return (
        <span className="text-small">
          {words.comments.checkpoint}{" "}
          <bdi>{title === undefined ? anchor.checkpoint : visible(title)}</bdi>
        </span>
      );
  }
}

/** The text of the line or element when the thread was begun. Draws nothing for a checkpoint or an empty text. */
export function QuotedText({ anchor }: { anchor: CommentAnchor | NewAnchor }) {
  if (anchor.kind === "checkpoint" || anchor.text.trim() === "") return null;
  return anchor.kind === "line" ? (
    <pre className="overflow-x-auto rounded bg-hover px-2 py-1 font-mono text-small">
      {visible(anchor.text.trim())}
    </pre>
  ) : (
    <p dir="auto" className="truncate border-l border-line pl-2 text-small text-quiet">
      {visibleProse(anchor.text)}
    </p>
  );
}
