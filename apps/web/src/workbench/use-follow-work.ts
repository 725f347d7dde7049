import { useEffect } from "react";
import { useLiveStore } from "../live/live-context.tsx";
import { followedPath, followedTab, type WorkTab } from "../project/follow.ts";
import { useWork } from "../project/work-store.ts";

/** Lets the work area follow the work until the person chooses. */
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
      // What was said is drawn first, and the other pane in a task of its own: together they keep the page busy too long.
      // Not put off by what comes meanwhile: on a busy machine that would be for ever.
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
