import { useCallback } from "react";
import { notice, noticeError } from "../ui/notice.ts";
import { restoreCheckpoint } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { wentBack } from "../fold/history-lines.ts";
import { visible } from "@treadle/protocol/safe-text";
import { useLiveStore, useProjectId } from "../live/live-context.tsx";

/** Goes back to a checkpoint, and offers to undo that. */
export function useGoBack(): (checkpoint: string, label: string) => Promise<void> {
  const project = useProjectId();
  const store = useLiveStore();
  return useCallback(
    async (checkpoint, label) => {
      const { checkpoints, revision } = store.getState().view;
      const here = checkpoints.findLast((one) => one.revision === revision) ?? checkpoints.at(-1);
      try {
        await restoreCheckpoint(project, checkpoint);
      } catch (error) {
        noticeError(`${sentence(error)} The files are as they were.`);
        return;
      }
      // What stood may have been kept only now, on the way back: the newest checkpoint is then the way forward.
      const newest = store.getState().view.checkpoints.at(-1);
      const undo = newest && newest.at > (here?.at ?? 0) ? newest : here;
      notice(visible(wentBack(store.getState().view, { checkpoint, label })), {
        // One way forward at a time: that of an older one leads elsewhere.
        id: "went-back",
        duration: 10_000,
        action:
          undo && undo.checkpoint !== checkpoint
            ? {
                label: "Undo",
                onClick: () =>
                  void restoreCheckpoint(project, undo.checkpoint).catch((error: unknown) =>
                    noticeError(sentence(error)),
                  ),
              }
            : undefined,
      });
    },
    [project, store],
  );
}
