import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const KEY = "treadle.plain-keys";

/**
 * Whether keys without Ctrl or Cmd are commands where nobody types. On, unless the person switched them off: who speaks to
 * the machine presses letters that were not meant (WCAG 2.1.4).
 */
export const usePlainKeys = create<{ on: boolean; set: (on: boolean) => void }>((set) => ({
  on: readSetting(KEY) !== "off",
  set: (on) => {
    writeSetting(KEY, on ? undefined : "off");
    set({ on });
  },
}));
