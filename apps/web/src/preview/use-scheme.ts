import { useState, useSyncExternalStore } from "react";

type Name = "light" | "dark";

/** In which colours the previewed page is shown. */
export interface Scheme {
  shown: Name;
  other: Name;
  flip: () => void;
}

const query = () => matchMedia("(prefers-color-scheme: dark)");

function subscribe(changed: () => void): () => void {
  const media = query();
  media.addEventListener("change", changed);
  return () => media.removeEventListener("change", changed);
}

/** As this browser prefers it, whatever the workbench itself is shown in, until the person wants to see the other. */
export function useScheme(): Scheme {
  const prefersDark = useSyncExternalStore(subscribe, () => query().matches);
  const [isOther, setOther] = useState(false);
  const isDark = prefersDark !== isOther;
  return {
    shown: isDark ? "dark" : "light",
    other: isDark ? "light" : "dark",
    flip: () => setOther(!isOther),
  };
}
