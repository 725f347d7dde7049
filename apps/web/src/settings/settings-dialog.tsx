import { Dialog } from "@base-ui/react/dialog";
import { useLocation } from "@tanstack/react-router";
import { useRef, useState } from "react";
import {
  OF_A_PROJECT,
  SETTINGS_SECTIONS,
  useSettingsPlace,
  type SettingsSection,
} from "../project/settings-place.ts";
import { isComposing } from "../ui/composing.ts";
import { DialogHead } from "../ui/dialog-head.tsx";
import { words } from "../words/words.ts";
import { SettingsContent } from "./settings-content.tsx";
import { useMatchingSections } from "./use-matching-sections.ts";
import { useShownSection } from "./use-shown-section.ts";

/** All settings on one page: each section has a URL, and a search shows only matching ones. */
export default function SettingsDialog({
  section,
  project,
}: {
  section: SettingsSection;
  /** Undefined shows the settings of all projects. */
  project?: string;
}) {
  const { close } = useSettingsPlace();
  const search = useRef<HTMLInputElement>(null);
  // Closes before the URL has changed, so that the page's keyboard shortcuts work at once. Every later navigation to
  // the settings opens the dialog again.
  const at = useLocation({ select: ({ state }) => state.__TSR_key });
  const [leftAt, setLeftAt] = useState<string>();
  return (
    <Dialog.Root
      open={at === undefined || leftAt !== at}
      onOpenChange={(open) => {
        if (open) return;
        setLeftAt(at);
        close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="dim z-40" />
        <Dialog.Popup
          initialFocus={search}
          className="floating fixed inset-x-0 top-[6vh] z-50 mx-auto flex h-[88vh] w-220 flex-col overflow-hidden max-wide:inset-0 max-wide:h-full max-wide:w-full max-wide:max-w-none max-wide:rounded-none max-wide:border-0"
        >
          <SettingsLayout section={section} project={project} search={search} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Scrolls a section's name into view; on a narrow page the names are in one row. */
const scrollIntoView = (element: HTMLElement | null) =>
  element?.scrollIntoView({ block: "nearest", inline: "nearest" });

function SettingsLayout({
  section,
  project,
  search,
}: {
  section: SettingsSection;
  project: string | undefined;
  search: React.RefObject<HTMLInputElement | null>;
}) {
  const { open } = useSettingsPlace();
  const box = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const shown = SETTINGS_SECTIONS.filter((id) => project !== undefined || !OF_A_PROJECT.has(id));
  const found = useMatchingSections(box, query);
  const { current, show } = useShownSection(box, section);
  return (
    <>
      <DialogHead title={words.settings.settings}>
        <input
          ref={search}
          type="search"
          aria-label={words.settingsPage.search}
          placeholder={words.settingsPage.search}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || query === "" || isComposing(event.nativeEvent)) return;
            // Cancels the search but keeps the settings open.
            event.preventDefault();
            event.stopPropagation();
            setQuery("");
          }}
          className="ml-auto h-8 w-70 min-w-0 rounded border border-edge bg-paper px-2 pointer-coarse:h-11"
        />
      </DialogHead>
      <div className="flex min-h-0 flex-1 max-wide:flex-col">
        <nav
          aria-label={words.settingsPage.parts}
          className="flex shrink-0 flex-col overflow-y-auto border-r border-line py-2 max-wide:flex-row max-wide:overflow-x-auto max-wide:border-r-0 max-wide:border-b max-wide:px-1 max-wide:py-0 wide:w-50"
        >
          {shown.map((id) => (
            <button
              key={id}
              ref={id === current ? scrollIntoView : undefined}
              type="button"
              aria-current={id === current ? "true" : undefined}
              onClick={() => {
                setQuery("");
                open(id);
                // After the sections hidden by the search are visible again.
                requestAnimationFrame(() => show(id));
              }}
              className="mx-1 shrink-0 rounded px-3 py-1 text-left whitespace-nowrap -outline-offset-2 hover:bg-hover aria-[current]:font-medium aria-[current]:text-accent pointer-coarse:min-h-11"
            >
              {words.settingsPage.sections[id]}
            </button>
          ))}
          {project === undefined && (
            <p className="mt-auto px-4 pt-4 text-small text-quiet max-wide:hidden">
              {words.settingsPage.inProjects}
            </p>
          )}
        </nav>
        <div ref={box} className="min-h-0 min-w-0 flex-1 overflow-y-auto px-5 max-wide:px-4">
          <SettingsContent shown={shown} project={project} />
          <p role="status" className="py-6 text-quiet empty:hidden">
            {found === 0 && words.settingsPage.none({ query: query.trim() })}
          </p>
        </div>
      </div>
    </>
  );
}
