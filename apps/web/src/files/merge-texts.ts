import { merge } from "node-diff3";

/**
 * Brings together what two hands made of one text: what only one of them changed is taken, and where both did, both stand
 * between git's marks.
 * @returns `marked`: there is such a place
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
