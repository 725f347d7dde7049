import { create } from "zustand";
import { readSetting, writeSetting } from "./browser-settings.ts";

export type Theme = "system" | "light" | "dark";
const KEY = "treadle.theme";

/** The page's background colours, for the system's own controls; the same as in `styles.css`. */
const GROUNDS = { light: "#fbfaf7", dark: "#171614" };

function apply(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"))
    meta.content =
      GROUNDS[theme === "system" ? (/dark/.test(meta.media) ? "dark" : "light") : theme];
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export const useTheme = create<{ theme: Theme; choose: (theme: Theme) => void }>((set) => ({
  theme: "system",
  choose: (theme) => {
    apply(theme);
    writeSetting(KEY, theme === "system" ? undefined : theme);
    set({ theme });
  },
}));

/** Applies the theme chosen last time. Call once before the first render. */
export function restoreTheme(): void {
  const stored = readSetting(KEY);
  if (stored === "light" || stored === "dark") useTheme.getState().choose(stored);
}
