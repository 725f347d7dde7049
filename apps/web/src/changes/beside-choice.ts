import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const KEY = "treadle.changes-beside";

/** Whether diffs are shown side by side, stored in the browser. */
export const useBeside = create<{ beside: boolean }>(() => ({ beside: readSetting(KEY) === "1" }));

export function chooseBeside(beside: boolean): void {
  useBeside.setState({ beside });
  writeSetting(KEY, beside ? "1" : undefined);
}
