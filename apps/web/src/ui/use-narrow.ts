import { useSyncExternalStore } from "react";

const query = () => matchMedia("(max-width: 767px)");

function subscribe(listener: () => void): () => void {
  const media = query();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether one pane fits at a time. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches);
}
