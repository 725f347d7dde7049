import type { PlannedEdit } from "./plan-change.ts";
import { applyEdit, type Edit, type Reason } from "./source-element.ts";

/**
 * Joins edits of several elements into one edit for each file. Elements that come from the same place in the source
 * have the same edit, which is applied once; two different edits of the same characters are refused.
 */
export function joinEdits(
  planned: readonly PlannedEdit[],
): { edits: PlannedEdit[] } | { refused: Reason } {
  const byPath = new Map<string, PlannedEdit[]>();
  for (const one of planned) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  const edits: PlannedEdit[] = [];
  for (const [first, ...rest] of byPath.values()) {
    const joined = joinInFile(first!.before, [first!, ...rest]);
    if (!joined) return { refused: { why: "overlap" } };
    edits.push({ ...first!, edit: joined });
  }
  return { edits };
}

function joinInFile(before: string, planned: readonly PlannedEdit[]): Edit | undefined {
  const sorted = planned.map(({ edit }) => edit).toSorted((a, b) => a.from - b.from || a.to - b.to);
  const different = sorted.filter((edit, index) => !isSame(edit, sorted[index - 1]));
  // Another version of the file was read meanwhile.
  if (planned.some((one) => one.before !== before)) return undefined;
  if (different.some((edit, index) => index > 0 && edit.from < different[index - 1]!.to))
    return undefined;
  if (different.some((edit, index) => index > 0 && edit.from === different[index - 1]!.from))
    return undefined;
  const [from, to] = [different[0]!.from, Math.max(...different.map((edit) => edit.to))];
  let text = before;
  for (const edit of different.toReversed()) text = applyEdit(text, edit);
  return { from, to, insert: text.slice(from, to + text.length - before.length) };
}

const isSame = (one: Edit, other: Edit | undefined) =>
  other !== undefined &&
  one.from === other.from &&
  one.to === other.to &&
  one.insert === other.insert;
