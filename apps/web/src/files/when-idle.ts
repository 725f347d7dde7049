import type { StoreApi } from "zustand";
import { openTurn } from "../fold/select.ts";
import type { ProjectView } from "../fold/types.ts";

/**
 * Calls `act` once, when no run is active in the project or when the person starts to use `place`. Loading the editor's
 * helpers earlier would take processor time from the run whose files the person watches.
 * @returns a function that cancels the call
 */
export function whenIdle(
  store: Pick<StoreApi<{ view: ProjectView }>, "getState" | "subscribe">,
  place: EventTarget & { matches(selectors: string): boolean },
  act: () => void,
): () => void {
  const isFree = () => !openTurn(store.getState().view) || place.matches(":focus-within");
  if (isFree()) {
    act();
    return () => undefined;
  }
  const forget = () => {
    unsubscribe();
    place.removeEventListener("focusin", go);
  };
  const go = () => {
    forget();
    act();
  };
  const unsubscribe = store.subscribe(() => {
    if (isFree()) go();
  });
  place.addEventListener("focusin", go);
  return forget;
}
