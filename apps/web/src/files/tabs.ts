import type { ProjectPath } from "@treadle/protocol";

/** One file that is open in the editor. */
export interface FileTab {
  path: ProjectPath;
  /** It stays; a tab that does not is the place of whatever is looked at next. */
  kept: boolean;
}

/** The tabs once a file is looked at: in its own, in that of the one that was only looked at, or in a new one at the end. */
export function withShown(tabs: readonly FileTab[], path: ProjectPath): readonly FileTab[] {
  if (tabs.some((tab) => tab.path === path)) return tabs;
  const looked = tabs.findIndex((tab) => !tab.kept);
  const tab = { path, kept: false };
  return looked < 0 ? [...tabs, tab] : tabs.with(looked, tab);
}

/** The tab stays from now on. */
export const withKept = (tabs: readonly FileTab[], path: ProjectPath): readonly FileTab[] =>
  tabs.some((tab) => tab.path === path && !tab.kept)
    ? tabs.map((tab) => (tab.path === path ? { path, kept: true } : tab))
    : tabs;

/** Puts a tab where another stands, which makes room on the side that it came from; who moves a tab keeps it. */
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
