import { isLanguage, type Language } from "../words/languages.ts";
import { readSetting, writeSetting } from "./browser-settings.ts";

const KEY = "treadle.language";

/** The language chosen in this browser; undefined follows the browser's own. */
export function storedLanguage(): Language | undefined {
  const stored = readSetting(KEY);
  return isLanguage(stored) ? stored : undefined;
}

/** Stores the choice and reloads the page. Typed text survives, as at any reload. */
export function chooseLanguage(language: Language | undefined): void {
  writeSetting(KEY, language);
  location.reload();
}
