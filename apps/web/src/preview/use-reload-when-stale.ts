import { createLifecycle } from "@treadle/protocol/lifecycle";
import { useCallback, useEffect, useState } from "react";
import { useLiveStore } from "../live/live-context.tsx";
import type { ProjectView } from "../fold/types.ts";
import { newReload, transition, type ReloadEffect } from "./reload-transitions.ts";

/** Time after the last change of a burst until the page reloads once, in milliseconds. */
const SETTLE_MS = 500;

/**
 * Reloads the previewed page when it is out of date; `reload-transitions.ts` decides when.
 * @param page `hot` is undefined until known
 * @returns `noteReload`: call when the page is reloaded for another reason; `noteUpdate`: call after a hot update
 */
export function useReloadWhenStale(
  { hot, sound }: { hot: boolean | undefined; sound: boolean },
  reload: () => void,
): { noteReload: () => void; noteUpdate: () => void } {
  const store = useLiveStore();
  const [{ send, setReload }] = useState(() => createPageReload(store.getState().view));
  useEffect(() => setReload(reload));
  useEffect(() => {
    const look = () => send({ type: "view", view: store.getState().view, at: performance.now() });
    look();
    const unsubscribe = store.subscribe(look);
    return () => {
      unsubscribe();
      send({ type: "detach" });
    };
  }, [store, send]);
  useEffect(() => send({ type: "frame", hot, sound, at: performance.now() }), [send, hot, sound]);
  const noteReload = useCallback(() => send({ type: "reloaded", at: performance.now() }), [send]);
  const noteUpdate = useCallback(() => send({ type: "updated", at: performance.now() }), [send]);
  return { noteReload, noteUpdate };
}

/** Carries out the reload effects for one page. @param view the state that the page was loaded from */
function createPageReload(view: ProjectView) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reload = () => {};
  const { send } = createLifecycle(newReload(view), transition, (effect: ReloadEffect) => {
    if (effect.type === "reload") return reload();
    clearTimeout(timer);
    if (effect.type === "start-timer")
      timer = setTimeout(() => send({ type: "settled" }), SETTLE_MS);
  });
  return { send, setReload: (next: () => void) => void (reload = next) };
}
