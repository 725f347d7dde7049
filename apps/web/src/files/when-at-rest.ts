import type { StoreApi } from "zustand";
import { openTurn } from "../fold/select.ts";
import type { ProjectView } from "../fold/types.ts";

/**
 * Calls `act` once, when no run goes on in the project or when the person takes `place` in hand: what helps whoever writes
 * there would else take the machine from the run whose files they watch.
 * @returns what forgets it
 */
export function whenAtRest(
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
