import type { ProjectPath } from "@treadle/protocol";

/** One file open in the editor. */
export interface FileTab {
  path: ProjectPath;
  /** Whether the tab is permanent; a preview tab is replaced by the next file that is opened. */
  kept: boolean;
}

/** The tabs after a file is shown: in its own tab, in the preview tab, or in a new one at the end. */
export function withShown(tabs: readonly FileTab[], path: ProjectPath): readonly FileTab[] {
  if (tabs.some((tab) => tab.path === path)) return tabs;
  const looked = tabs.findIndex((tab) => !tab.kept);
  const tab = { path, kept: false };
  return looked < 0 ? [...tabs, tab] : tabs.with(looked, tab);
}

/** Makes the tab permanent. */
export const withPermanent = (tabs: readonly FileTab[], path: ProjectPath): readonly FileTab[] =>
  tabs.some((tab) => tab.path === path && !tab.kept)
    ? tabs.map((tab) => (tab.path === path ? { path, kept: true } : tab))
    : tabs;

/**
 * Moves a tab to the position of another, which shifts towards where the tab came from. Moving a tab makes it
 * permanent. A file without a tab changes nothing.
 */
export function withMoved(
  tabs: readonly FileTab[],
  path: ProjectPath,
  to: number,
): readonly FileTab[] {
  const rest = tabs.filter((tab) => tab.path !== path);
  if (rest.length === tabs.length) return tabs;
  const place = Math.max(0, Math.min(to, rest.length));
  return rest.toSpliced(place, 0, { path, kept: true });
}
