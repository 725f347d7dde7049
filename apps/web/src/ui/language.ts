import { isLanguage, type Language } from "../words/languages.ts";
import { readSetting, writeSetting } from "./browser-settings.ts";

const KEY = "treadle.language";

/** The language that was chosen in this browser; none: the browser's own is followed. */
export function keptLanguage(): Language | undefined {
  const stored = readSetting(KEY);
  return isLanguage(stored) ? stored : undefined;
}

/** Keeps the choice and loads the page again in it. What was typed is kept as at any reload. */
export function chooseLanguage(language: Language | undefined): void {
  writeSetting(KEY, language);
  location.reload();
}
