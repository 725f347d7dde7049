import type { CommentThread } from "@treadle/protocol/fold";
import { visibleProse } from "@treadle/protocol/safe-text";
import { useMemo } from "react";
import { useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";
import { PlaceName } from "./comment-place.tsx";

/** The threads that were last sent to the model with a message; empty for every other message. */
export function useSentThreads(message: string | undefined): readonly CommentThread[] {
  const comments = useView((view) => view.comments);
  return useMemo(
    () =>
      message === undefined
        ? []
        : [...comments.values()].filter(({ sent }) => sent?.message === message),
    [comments, message],
  );
}

/** A request that consists of comments: the place of each thread, and what was written there until it was sent. */
export function SentComments({ threads }: { threads: readonly CommentThread[] }) {
  return (
    <>
      <p className="text-large font-semibold">
        {words.comments.request({ count: threads.length })}
      </p>
      <ul aria-label={words.comments.request({ count: threads.length })} className="mt-1 space-y-2">
        {threads.map(({ anchor, comments, sent }) => (
          <li key={comments[0]!.id} className="border-l border-line pl-2">
            <PlaceName anchor={anchor} line={anchor.kind === "line" ? anchor.line : undefined} />
            {comments
              .filter(({ at, deleted }) => !deleted && at <= (sent?.at ?? 0))
              .map(({ id, by, text }) => (
                <p key={id} dir="auto" className="break-words whitespace-pre-wrap">
                  {by && <bdi className="font-semibold">{visibleProse(by.name)}: </bdi>}
                  {visibleProse(text)}
                </p>
              ))}
          </li>
        ))}
      </ul>
    </>
  );
}
