import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";

/** The sections of the settings, in order; each has a URL: `?settings=models`. */
export const SETTINGS_SECTIONS = [
  "models",
  "rules",
  "skills",
  "tools",
  "approvals",
  "hosts",
  "secrets",
  "budget",
  "appearance",
  "notices",
  "language",
  "shortcuts",
  "about",
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** Sections that belong to one project. */
export const OF_A_PROJECT: ReadonlySet<SettingsSection> = new Set([
  "approvals",
  "hosts",
  "secrets",
  "budget",
]);

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The settings were opened from the previous history entry. */
    openedHere?: boolean;
  }
}

/** The section for a URL parameter, or the first one if it is unknown. Undefined: the settings are closed. */
export function sectionOf(value: unknown): SettingsSection | undefined {
  if (value === undefined) return undefined;
  return SETTINGS_SECTIONS.find((one) => one === value) ?? SETTINGS_SECTIONS[0];
}

/**
 * History entries already left: a second Escape before the page has followed the first would leave the page below as well.
 */
const leftEntries = new WeakSet<object>();
/** Time after which a browser that has not navigated is asked again, in milliseconds. */
const FOLLOW_MS = 2_000;

/**
 * The open section of the settings, and functions to open and close them. The browser's Back button closes them as well.
 */
export function useSettingsPlace(): {
  section: SettingsSection | undefined;
  open: (section?: SettingsSection) => void;
  close: () => void;
} {
  const { settings } = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const section = sectionOf(settings);
  return {
    section,
    open: (next = "models") =>
      void navigate({
        to: ".",
        search: (before) => ({ ...before, settings: next }),
        replace: section !== undefined,
        state: (before) => (section === undefined ? { ...before, openedHere: true } : before),
      }),
    close() {
      const { state } = router.state.location;
      if (!state.openedHere)
        return void navigate({
          to: ".",
          search: (before) => ({ ...before, settings: undefined }),
          replace: true,
        });
      if (leftEntries.has(state)) return;
      leftEntries.add(state);
      setTimeout(() => leftEntries.delete(state), FOLLOW_MS);
      router.history.back();
    },
  };
}
