import { useState, useSyncExternalStore } from "react";

type Name = "light" | "dark";

/** The colour scheme of the previewed page. */
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

/** Follows the browser's preference, independently of the workbench's theme, until the person selects the other scheme. */
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
