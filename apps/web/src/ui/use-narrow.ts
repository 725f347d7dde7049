import { useSyncExternalStore } from "react";

let list: MediaQueryList | undefined;
/** One list for all: a new one has the page's layout brought up to date, in the midst of a render. */
const query = () => (list ??= matchMedia("(max-width: 899px)"));

function subscribe(listener: () => void): () => void {
  const media = query();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether one pane fits at a time. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => query().matches,
    // Markup that is drawn without a browser is of a wide page.
    () => false,
  );
}
