import { useEffect } from "react";
import { useLiveStore } from "../live/live-context.tsx";
import { followedPath, followedTab } from "../project/follow.ts";
import { useWork } from "../project/work-store.ts";

/** Lets the work area follow the work until the person chooses. */
export function useFollowWork(): void {
  const store = useLiveStore();
  useEffect(() => {
    const follow = () => {
      const { view } = store.getState();
      const tab = followedTab(view);
      const path = followedPath(view);
      const { followFile, followTab } = useWork.getState();
      if (path !== undefined) followFile(path);
      if (tab !== undefined) followTab(tab);
    };
    follow();
    return store.subscribe(follow);
  }, [store]);
}
