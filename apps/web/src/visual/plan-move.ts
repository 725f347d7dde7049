import { isProtectedPath } from "@treadle/protocol/project-path";
import { candidates, checked, type PlannedEdit, type Sources } from "./plan-change.ts";
import type { Move } from "./picked.ts";
import type { Edit, Reason, SourceElement } from "./source-element.ts";

/**
 * Plans the move of an element among its siblings in the source, or returns why it is refused: siblings that a list or
 * a condition creates have no order of their own in the source. Rejects if a file cannot be read.
 */
export async function planMove(
  { element, beside, after }: Move,
  sources: Sources,
): Promise<PlannedEdit | { refused: Reason }> {
  const [moved, fixed] = [await candidates(element, sources), await candidates(beside, sources)];
  let refused: Reason = { why: "apart" };
  for (const one of moved)
    for (const other of fixed) {
      if (one.path !== other.path) continue;
      if (one.element.from === other.element.from) {
        refused = { why: "list" };
        continue;
      }
      const { container } = one.element;
      if (container === undefined || container !== other.element.container) continue;
      if (isProtectedPath(one.path)) return { refused: { why: "nowhere" } };
      const { path, version, text } = one;
      const siblings = one.elements.filter((sibling) => sibling.container === container);
      const planned = reorder(text, siblings, one.element.from, other.element.from, after);
      if ("refused" in planned) return planned;
      return checked({ path, version, before: text, edit: planned.edit });
    }
  return { refused };
}

/** Reorders elements, and leaves the white space between them where it is. */
function reorder(
  text: string,
  siblings: readonly SourceElement[],
  moved: number,
  beside: number,
  after: boolean,
): { edit: Edit } | { refused: Reason } {
  const before = siblings.map(({ from }) => from);
  const order = before.filter((from) => from !== moved);
  order.splice(order.indexOf(beside) + (after ? 1 : 0), 0, moved);
  const changed = before.flatMap((from, index) => (order[index] === from ? [] : [index]));
  const [first, last] = [changed[0] ?? 0, changed.at(-1) ?? 0];
  const sourceOf = new Map(siblings.map((one) => [one.from, text.slice(one.from, one.to)]));
  let insert = "";
  for (let index = first; index <= last; index++) {
    insert += sourceOf.get(order[index]!) ?? "";
    if (index === last) break;
    const gap = text.slice(siblings[index]!.to, siblings[index + 1]!.from);
    if (gap.trim() !== "") return { refused: { why: "between" } };
    insert += gap;
  }
  return { edit: { from: siblings[first]!.from, to: siblings[last]!.to, insert } };
}
