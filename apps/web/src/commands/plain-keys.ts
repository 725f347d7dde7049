import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const KEY = "treadle.plain-keys";

/**
 * Whether keys without Ctrl or Cmd are commands while nobody types. On by default; people who use speech input can switch
 * them off, because it presses letters unintentionally (WCAG 2.1.4).
 */
export const usePlainKeys = create<{ on: boolean; set: (on: boolean) => void }>((set) => ({
  on: readSetting(KEY) !== "off",
  set: (on) => {
    writeSetting(KEY, on ? undefined : "off");
    set({ on });
  },
}));
