import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const KEY = "treadle.notices";

interface AwayNotices {
  /** `unasked`: the person has not been asked yet, and no notifications are shown. */
  choice: "unasked" | "on" | "off";
  /** Whether the browser denies notifications; only its settings can change that. */
  isRefused: boolean;
  /**
   * Turns notifications on, asking for the browser's permission, or off. Call only from a click, as browsers require.
   */
  choose: (on: boolean) => Promise<void>;
}

const isSupported = () => "Notification" in globalThis;

/** The stored choice; "unasked" if the browser's permission was revoked since. */
function readChoice(): AwayNotices["choice"] {
  const value = readSetting(KEY);
  if (value === "off") return value;
  const isGranted = isSupported() && Notification.permission === "granted";
  return value === "on" && isGranted ? "on" : "unasked";
}

/** Whether the browser shows notifications about a project while its page is not visible. */
export const useAwayNotices = create<AwayNotices>((set) => ({
  choice: readChoice(),
  isRefused: !isSupported() || Notification.permission === "denied",
  async choose(on) {
    const isGranted = on && isSupported() && (await Notification.requestPermission()) === "granted";
    const choice = isGranted ? "on" : "off";
    writeSetting(KEY, choice);
    set({ choice, isRefused: !isSupported() || Notification.permission === "denied" });
  },
}));

/** Whether the page is visible and has the focus. */
export const isLookedAt = () => document.visibilityState === "visible" && document.hasFocus();

/**
 * Shows a browser notification if the person wants them; a click on it focuses the page.
 * @param tag a later notification with the same tag replaces this one
 */
export function showAwayNotice(title: string, body: string, tag: string): void {
  if (useAwayNotices.getState().choice !== "on" || !isSupported()) return;
  if (Notification.permission !== "granted") return;
  try {
    const shown = new Notification(title, { body, tag, icon: "/icon-192.png" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Chromium on Android supports notifications only from a service worker; there the tab's title and icon are enough.
  }
}
