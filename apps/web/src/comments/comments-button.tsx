import { Suspense } from "react";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import { useView } from "../live/live-context.tsx";
import { closeComments, openComments, useShownComments } from "../project/comments-store.ts";
import { MessageSquareQuote } from "../ui/icons.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { words } from "../words/words.ts";

const { Part: CommentsDialog, load } = lazyPart(() => import("./comments-dialog.tsx"));

/**
 * Opens the comments, and shows the number of open threads. Hidden if there are none: a command opens the list as well.
 */
export function CommentsButton() {
  const amount = useView(({ comments }) => {
    let open = 0;
    for (const { resolved } of comments.values()) if (!resolved) open++;
    return open;
  });
  const hasAny = useView(({ comments }) => comments.size > 0);
  if (!hasAny) return null;
  return (
    <button
      type="button"
      onClick={() => openComments()}
      onPointerEnter={() => void load()}
      {...keysHint("comments", words.comments.open({ amount }))}
      aria-label={words.comments.open({ amount })}
      className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded px-2 text-small text-quiet hover:bg-hover hover:text-ink pointer-coarse:h-11"
    >
      <MessageSquareQuote size={16} aria-hidden="true" />
      {amount > 0 && <span className="numbers">{amount}</span>}
    </button>
  );
}

/** The comments dialog while it is open, and the command that opens it; its code is loaded when it is first opened. */
export function Comments() {
  const open = useShownComments((state) => state.open);
  useCommand("comments", () => openComments());
  return (
    open && (
      <Suspense>
        <CommentsDialog onClose={closeComments} />
      </Suspense>
    )
  );
}
