import type { ProjectSummary } from "@treadle/protocol";

/** What the button of a project and its menu are given. */
export interface MoreProps {
  project: ProjectSummary;
  onRename: () => void;
  onArchive: () => void;
  onDelete: () => void;
}

/** The look of the button, before its menu has come and after. */
export const MORE_BUTTON =
  "inline-flex size-7 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11";
