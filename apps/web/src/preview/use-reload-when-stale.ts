import { useCallback, useEffect, useRef } from "react";
import { useLiveStore } from "../live/live-context.tsx";
import { isStale, loadedFrom, type Takes } from "./stale-preview.ts";

/** A burst of changes loads the page again once, this long after the last of them, in milliseconds. */
const SETTLE_MS = 500;

/**
 * Loads the previewed page again when it shows what is not there any more.
 * @returns is to be called where it is loaded again for another reason
 */
export function useReloadWhenStale({ hot, sound }: Takes, reload: () => void): () => void {
  const store = useLiveStore();
  const latest = useRef(reload);
  useEffect(() => {
    latest.current = reload;
  });
  const loaded = useRef(loadedFrom(store.getState().view));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen = 0;
    const look = () => {
      const { view } = store.getState();
      // What came by itself need not be loaded again when the dev server goes.
      if (hot && sound) loaded.current = { ...loaded.current, filesSeq: view.filesSeq };
      if (!isStale(view, loaded.current, { hot, sound })) return clearTimeout(timer);
      const newest = Math.max(view.filesSeq, view.upSeq, view.evidenceAt ?? 0);
      if (timer !== undefined && newest === seen) return;
      seen = newest;
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        loaded.current = loadedFrom(store.getState().view);
        latest.current();
      }, SETTLE_MS);
    };
    look();
    const unsubscribe = store.subscribe(look);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store, hot, sound]);
  return useCallback(() => {
    loaded.current = loadedFrom(store.getState().view);
  }, [store]);
}
