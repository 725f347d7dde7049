import type { ProjectSummary } from "@treadle/protocol";

/** The props of a project's button and its menu. */
export interface MoreProps {
  project: ProjectSummary;
  onRename: () => void;
  onArchive: () => void;
  onDelete: () => void;
}

/** The button's style, the same before and after its menu has loaded. */
export const MORE_BUTTON =
  "inline-flex size-7 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11";
