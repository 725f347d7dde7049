import { useSyncExternalStore } from "react";

let list: MediaQueryList | undefined;
/** The media query, shared by all components, because creating one forces a layout during render. */
const query = () => (list ??= matchMedia("(max-width: 899px)"));

function subscribe(listener: () => void): () => void {
  const media = query();
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether the page shows only one pane at a time. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => query().matches,
    // Server-side rendering assumes a wide page.
    () => false,
  );
}
