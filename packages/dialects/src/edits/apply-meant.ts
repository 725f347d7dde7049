import { applyEdits } from "./apply.ts";
import { createEditor } from "./editor.ts";
import { findPlaces } from "./find-places.ts";
import type { Edit, EditResult } from "./types.ts";

/**
 * Like `applyEdits`, for edits whose old text may match in several places: their order or their
 * `line` decides.
 */
export function applyMeantEdits(original: string, edits: readonly Edit[]): EditResult {
  return applyEdits(original, placeEdits(original, edits));
}

/**
 * Gives an edit with several matches the exact `line` of the intended one. As many equal old texts
 * as matches apply in the file's order. Otherwise the edit's `line` decides if one match is clearly
 * nearest: the next one is more than twice as far away.
 */
function placeEdits(original: string, edits: readonly Edit[]): readonly Edit[] {
  const groups = new Map<string, Edit[]>();
  for (const edit of edits) {
    if (edit.all || edit.or || edit.old.trim() === "") continue;
    const group = groups.get(edit.old);
    if (group) group.push(edit);
    else groups.set(edit.old, [edit]);
  }
  const lines = new Map<Edit, number>();
  let file: ReturnType<typeof createEditor>["file"] | undefined;
  for (const [old, group] of groups) {
    if (group.length < 2 && group[0]!.line === undefined) continue;
    file ??= createEditor(original).file;
    const { lineAt } = file;
    const found = findPlaces(file, old.replaceAll("\r\n", "\n"), false)
      .places.map(({ characters }) => lineAt(characters.from) + 1)
      .toSorted((a, b) => a - b);
    if (found.length < 2) continue;
    const isInOrder = found.length === group.length && new Set(group).size === group.length;
    for (const [at, edit] of group.entries()) {
      const line = isInOrder ? found[at] : nearestLine(found, edit.line);
      if (line !== undefined) lines.set(edit, line);
    }
  }
  return edits.map((edit) => (lines.has(edit) ? { ...edit, line: lines.get(edit)! } : edit));
}

function nearestLine(lines: readonly number[], line: number | undefined): number | undefined {
  if (line === undefined) return undefined;
  const away = (one: number) => Math.abs(one - line);
  const [first, second] = lines.toSorted((a, b) => away(a) - away(b));
  return away(first!) * 2 < away(second!) ? first : undefined;
}
