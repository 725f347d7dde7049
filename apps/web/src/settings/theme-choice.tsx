import { useTheme, type Theme } from "../ui/theme.ts";
import { words } from "../words/words.ts";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** The theme, as a row of three choices. */
export function ThemeChoice() {
  const { theme, choose } = useTheme();
  return (
    <fieldset className="flex items-center justify-between gap-4">
      <legend className="float-left text-small text-quiet">{words.settingsPage.theme}</legend>
      <div className="flex overflow-hidden rounded border border-line">
        {THEMES.map((id) => (
          <label
            key={id}
            className="cursor-pointer border-l border-line px-2 py-1 text-small first:border-0 has-checked:bg-hover has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent pointer-coarse:py-2.5"
          >
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={theme === id}
              onChange={() => choose(id)}
            />
            {words.settingsPage.themes[id]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
