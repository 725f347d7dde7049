import { useCallback } from "react";
import { notice, noticeError } from "../ui/notice.ts";
import { restoreCheckpoint, type GoBack } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { describeRestore } from "../fold/history-lines.ts";
import { visible } from "@treadle/protocol/safe-text";
import { useLiveStore, useProjectId } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/** Returns a function that restores a checkpoint, optionally with the conversation, and offers an undo. */
export function useGoBack(): (back: GoBack & { label: string }) => Promise<void> {
  const project = useProjectId();
  const store = useLiveStore();
  return useCallback(
    async ({ label, ...back }) => {
      const { checkpoints, revision, head } = store.getState().view;
      const here = checkpoints.findLast((one) => one.revision === revision) ?? checkpoints.at(-1);
      try {
        await restoreCheckpoint(project, back);
      } catch (error) {
        noticeError(words.history.stayed({ why: sentence(error) }));
        return;
      }
      // Going back may have created a checkpoint of the previous state; it is then the way forward.
      const newest = store.getState().view.checkpoints.at(-1);
      const previous = newest && newest.at > (here?.at ?? 0) ? newest : here;
      const undo: GoBack | undefined = previous && {
        checkpoint: previous.checkpoint,
        ...(back.conversation ? { conversation: true, head } : {}),
        data: back.data || undefined,
      };
      const wentFar = back.conversation || back.data || undo?.checkpoint !== back.checkpoint;
      notice(
        visible(describeRestore(store.getState().view, { checkpoint: back.checkpoint, label })),
        {
          // Only one way forward is offered at a time, because an older one leads elsewhere.
          id: "went-back",
          duration: 10_000,
          action:
            undo && wentFar
              ? {
                  label: words.history.undo,
                  onClick: () =>
                    void restoreCheckpoint(project, undo).catch((error: unknown) =>
                      noticeError(sentence(error)),
                    ),
                }
              : undefined,
        },
      );
    },
    [project, store],
  );
}
