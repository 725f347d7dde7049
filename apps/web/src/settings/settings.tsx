import { Popover } from "@base-ui/react/popover";
import { Settings as Gear } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "../ui/button.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { useTheme, type Theme } from "../ui/theme.ts";
import { withWords, words } from "../words/words.ts";

const OwnRulesSection = lazy(() => withWords(import("./own-rules-section.tsx")));
const McpDialog = lazy(async () => ({
  default: (await withWords(import("../mcp/mcp-dialog.tsx"))).McpDialog,
}));

const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** The choice of theme, as a row of three. */
export function ThemeChoice() {
  const { theme, choose } = useTheme();
  return (
    <fieldset className="flex items-center justify-between gap-4">
      <legend className="float-left text-small text-quiet">{words.settings.theme}</legend>
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
            {words.settings.themes[id]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Settings() {
  const [shown, setShown] = useState<"menu" | "tools">();
  return (
    <Popover.Root
      open={shown === "menu"}
      onOpenChange={(open) => setShown(open ? "menu" : undefined)}
    >
      <Popover.Trigger
        aria-label={words.settings.settings}
        title={words.settings.settings}
        className="inline-flex size-7 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11"
      >
        <Gear size={16} aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="end" collisionPadding={8} className="z-40">
          <Popover.Popup className="floating w-80 overflow-y-auto p-3">
            <Popover.Title className="sr-only">{words.settings.settings}</Popover.Title>
            <ThemeChoice />
            <LanguageChoice />
            <Button className="mt-3 w-full" onClick={() => setShown("tools")}>
              {words.settings.tools}
            </Button>
            <div className="mt-4">
              <Suspense fallback={null}>
                <OwnRulesSection />
              </Suspense>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
      {shown === "tools" && (
        <Suspense>
          <McpDialog open onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </Popover.Root>
  );
}
