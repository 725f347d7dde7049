import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const KEY = "treadle.notices";

interface AwayNotices {
  /** `unasked`: the person was not asked yet, and nothing is shown outside of the page. */
  choice: "unasked" | "on" | "off";
  /** The browser refuses, and only its own settings change that. */
  isRefused: boolean;
  /**
   * Turns notifications on, for which the browser asks the person, or off. Call it from a click: browsers ask at no other
   * time.
   */
  choose: (on: boolean) => Promise<void>;
}

const isSupported = () => "Notification" in globalThis;

/** What was chosen; a permission that the browser has taken back since is asked for again. */
function readChoice(): AwayNotices["choice"] {
  const value = readSetting(KEY);
  if (value === "off") return value;
  const isGranted = isSupported() && Notification.permission === "granted";
  return value === "on" && isGranted ? "on" : "unasked";
}

/** Whether the browser shows what happens in a project while nobody looks at its page. */
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

/** Whether somebody has the page before their eyes. */
export const isLookedAt = () => document.visibilityState === "visible" && document.hasFocus();

/**
 * Shows a notification of the browser if the person wants them; a click on it brings the page to the front.
 * @param tag a later notification with the same tag takes the place of this one
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
    // Chromium on Android shows them from a service worker alone: title and icon of the tab say it there.
  }
}
