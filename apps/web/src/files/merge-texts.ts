import { merge } from "node-diff3";

/**
 * Merges two edits of one text. Takes changes made on one side only; changes to the same lines are both kept between git's
 * conflict markers.
 * @returns `marked`: whether there are such conflicts
 */
export function mergeTexts({
  ours,
  base,
  theirs,
}: {
  ours: string;
  base: string;
  theirs: string;
}): { text: string; marked: boolean } {
  const { result, conflict } = merge(ours.split("\n"), base.split("\n"), theirs.split("\n"), {
    excludeFalseConflicts: true,
    label: { a: "mine", b: "on disk" },
  });
  return { text: result.join("\n"), marked: conflict };
}
