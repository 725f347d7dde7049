import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";

/** The parts of the settings, in their order; each has an address: `?settings=models`. */
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

/** Those that are set in each project by itself. */
export const OF_A_PROJECT: ReadonlySet<SettingsSection> = new Set([
  "approvals",
  "hosts",
  "secrets",
  "budget",
]);

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The settings were opened from the page that is one step back. */
    openedHere?: boolean;
  }
}

/** The part that an address asks for; one that there is none of: the first. Undefined: the settings are closed. */
export function sectionOf(value: unknown): SettingsSection | undefined {
  if (value === undefined) return undefined;
  return SETTINGS_SECTIONS.find((one) => one === value) ?? SETTINGS_SECTIONS[0];
}

/** Places that were gone back from: a second Escape, before the page follows the first, would leave the page under it. */
const left = new WeakSet<object>();
/** A browser that did not follow by then is asked again. Milliseconds. */
const FOLLOW_MS = 2_000;

/** Where the settings are open, and what opens and closes them. The browser's Back closes them as well. */
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
      if (left.has(state)) return;
      left.add(state);
      setTimeout(() => left.delete(state), FOLLOW_MS);
      router.history.back();
    },
  };
}
