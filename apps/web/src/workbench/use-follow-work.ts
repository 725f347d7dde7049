import { useEffect } from "react";
import { useLiveStore } from "../live/live-context.tsx";
import { followedPath, followedTab } from "../project/follow.ts";
import { useWork } from "../project/work-store.ts";

/** Lets the work area follow the work until the person chooses. */
export function useFollowWork(): void {
  const store = useLiveStore();
  useEffect(() => {
    let turning: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      const { view } = store.getState();
      const tab = followedTab(view);
      const path = followedPath(view);
      const { followFile, followTab } = useWork.getState();
      if (path !== undefined) followFile(path);
      if (tab === undefined) return;
      clearTimeout(turning);
      // What was said is drawn first, and the other pane in a task of its own: together they keep the page busy too long.
      turning = setTimeout(() => followTab(tab));
    };
    follow();
    const leave = store.subscribe(follow);
    return () => {
      clearTimeout(turning);
      leave();
    };
  }, [store]);
}
