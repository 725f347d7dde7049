import { useDefaultLayout } from "react-resizable-panels";
import { readSetting, writeSetting } from "./browser-settings.ts";

const storage = {
  getItem: (key: string) => readSetting(key) ?? null,
  setItem: writeSetting,
};

/**
 * How a person has divided a group of panes, as this browser keeps it. A window that was made smaller is no wish.
 * @param panelIds of those that are there now, where that changes
 */
export function useKeptLayout(id: string, panelIds?: string[]) {
  return useDefaultLayout({
    id: `treadle.${id}`,
    panelIds,
    storage,
    onlySaveAfterUserInteractions: true,
  });
}
