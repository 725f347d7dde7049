import { useId } from "react";
import { chooseLanguage, storedLanguage } from "../ui/language.ts";
import { isLanguage, LANGUAGES, preferredLanguage } from "../words/languages.ts";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";

/** The page's language: the browser's, or a stored choice. Each is named in its own language. */
export function LanguageChoice() {
  const id = useId();
  const { name } = LANGUAGES[preferredLanguage(navigator.languages)];
  return (
    <div className="flex items-center justify-between gap-4">
      <label htmlFor={id} className="text-small text-quiet">
        {words.settingsPage.language}
      </label>
      <Select
        id={id}
        value={storedLanguage() ?? ""}
        onChoose={(value) => chooseLanguage(isLanguage(value) ? value : undefined)}
        className="h-7 min-w-0 rounded border border-edge bg-paper px-1 text-small text-ink pointer-coarse:h-11"
        options={[
          { value: "", name: words.settingsPage.browserLanguage({ name }) },
          ...Object.entries(LANGUAGES).map(([value, { tag, name: own }]) => ({
            value,
            name: own,
            lang: tag,
          })),
        ]}
      />
    </div>
  );
}
