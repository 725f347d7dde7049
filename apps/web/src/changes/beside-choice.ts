import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const KEY = "treadle.changes-beside";

/** Whether differences are shown side by side, as this browser remembers it. */
export const useBeside = create<{ beside: boolean }>(() => ({ beside: readSetting(KEY) === "1" }));

export function chooseBeside(beside: boolean): void {
  useBeside.setState({ beside });
  writeSetting(KEY, beside ? "1" : undefined);
}
