import { useEffect } from "react";
import { useLiveStore } from "../live/live-context.tsx";
import { followedPath, followedTab, type WorkTab } from "../project/follow.ts";
import { useWork } from "../project/work-store.ts";

/** Makes the work area follow the run until the person chooses a tab or file. */
export function useFollowWork(): void {
  const store = useLiveStore();
  useEffect(() => {
    let turning: ReturnType<typeof setTimeout> | undefined;
    let next: WorkTab | undefined;
    const follow = () => {
      const { view } = store.getState();
      const tab = followedTab(view);
      const path = followedPath(view);
      const { followFile, followTab } = useWork.getState();
      if (path !== undefined) followFile(path);
      if (tab === undefined) return;
      next = tab;
      // Draws the conversation first and the other pane in a separate task, because both together block the page too long.
      // Not deferred by later updates, which would never end on a busy machine.
      turning ??= setTimeout(() => {
        turning = undefined;
        if (next !== undefined) followTab(next);
      });
    };
    follow();
    const leave = store.subscribe(follow);
    return () => {
      clearTimeout(turning);
      leave();
    };
  }, [store]);
}
