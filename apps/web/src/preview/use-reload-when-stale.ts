import { useCallback, useEffect, useRef } from "react";
import { useLiveStore } from "../live/live-context.tsx";
import { isStale, loadedFrom, type LoadedFrom } from "./stale-preview.ts";

/** A burst of changes loads the page again once, this long after the last of them, in milliseconds. */
const SETTLE_MS = 500;
/**
 * What is told of within this long after a dev server was connected may have been written before, in milliseconds: a busy
 * machine tells of a change a second late, and a page that was loaded so shortly before loses little by being loaded again.
 */
const LATE_MS = 1_500;

const isSame = (one: LoadedFrom, other: LoadedFrom | undefined) =>
  one.filesSeq === other?.filesSeq && one.upSeq === other.upSeq && one.seen === other.seen;

/**
 * Loads the previewed page again when it shows what is not there any more.
 * @param takes `hot` is undefined until that is known
 * @returns `noteReload` is to be called where it is loaded again for another reason, `noteUpdate` where its dev server has
 * brought a change into it
 */
export function useReloadWhenStale(
  { hot, sound }: { hot: boolean | undefined; sound: boolean },
  reload: () => void,
): { noteReload: () => void; noteUpdate: () => void } {
  const store = useLiveStore();
  const latest = useRef(reload);
  useEffect(() => {
    latest.current = reload;
  });
  const loaded = useRef(loadedFrom(store.getState().view));
  /**
   * Why the page may lack a change: the log had it before the dev server was connected, or so shortly after that it may have
   * been made before.
   */
  const missed = useRef<"before" | "late">(undefined);
  /** When its dev server last brought a change into it. */
  const updatedAt = useRef(-Infinity);
  /** Since when its dev server is connected; undefined: it is not. */
  const hotSince = useRef<number>(undefined);
  const lookAgain = useRef(() => {});
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen: LoadedFrom | undefined;
    const isConnecting = hot === true && hotSince.current === undefined;
    hotSince.current = hot ? (hotSince.current ?? performance.now()) : undefined;
    const look = () => {
      const { view } = store.getState();
      const now = performance.now();
      const wasJustConnected = now - (hotSince.current ?? 0) < LATE_MS;
      const mayBeLate = wasJustConnected && now - updatedAt.current > LATE_MS;
      if (hot && mayBeLate && view.filesSeq > loaded.current.filesSeq) missed.current ??= "late";
      // What came by itself need not be loaded again when the dev server goes.
      if (hot && sound && missed.current === undefined)
        loaded.current = { ...loaded.current, filesSeq: view.filesSeq };
      const takes = { hot: hot ?? true, sound, missed: missed.current !== undefined };
      if (!isStale(view, loaded.current, takes)) return clearTimeout(timer);
      const newest = loadedFrom(view);
      if (timer !== undefined && isSame(newest, seen)) return;
      seen = newest;
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        loaded.current = loadedFrom(store.getState().view);
        missed.current = undefined;
        latest.current();
      }, SETTLE_MS);
    };
    if (isConnecting && store.getState().view.filesSeq > loaded.current.filesSeq)
      missed.current = "before";
    look();
    lookAgain.current = look;
    const unsubscribe = store.subscribe(look);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store, hot, sound]);
  const noteReload = useCallback(() => {
    missed.current = undefined;
    updatedAt.current = -Infinity;
    loaded.current = loadedFrom(store.getState().view);
  }, [store]);
  const noteUpdate = useCallback(() => {
    updatedAt.current = performance.now();
    if (missed.current === "late") missed.current = undefined;
    lookAgain.current();
  }, []);
  return { noteReload, noteUpdate };
}
