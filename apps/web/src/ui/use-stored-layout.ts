import { useDefaultLayout } from "react-resizable-panels";
import { readSetting, writeSetting } from "./browser-settings.ts";

const storage = {
  getItem: (key: string) => readSetting(key) ?? null,
  setItem: writeSetting,
};

/**
 * The person's sizes of a group of panes, stored in the browser. Resizing the window does not change them.
 * @param panelIds the panes currently shown, if that varies
 */
export function useStoredLayout(id: string, panelIds?: string[]) {
  return useDefaultLayout({
    id: `treadle.${id}`,
    panelIds,
    storage,
    onlySaveAfterUserInteractions: true,
  });
}
