/** A range of lines that differ: the old `[oldFrom, oldTo)` became the new `[newFrom, newTo)`. */
export interface Difference {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

/**
 * Maximum number of changed lines before the rest counts as one difference: the search takes
 * quadratic time, and such a diff is longer than the file.
 */
const CHANGE_LIMIT = 1_000;

/**
 * The furthest point of the search on one diagonal, and the differences that led there, the last
 * one first.
 */
interface Reach {
  old: number;
  last?: Step;
}
interface Step extends Difference {
  before?: Step | undefined;
}

/** The shortest edit script between two lists of lines (Myers), as ranges in order. */
export function diffLines(before: readonly string[], after: readonly string[]): Difference[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let oldEnd = before.length;
  let newEnd = after.length;
  while (oldEnd > head && newEnd > head && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  if (oldEnd === head && newEnd === head) return [];
  // By diagonal: the number of old lines consumed minus that of new lines.
  const reached = new Map<number, Reach>();
  for (let changes = 0; changes <= CHANGE_LIMIT; changes++)
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const reach = nextReach(reached, diagonal, head);
      while (
        reach.old < oldEnd &&
        reach.old - diagonal < newEnd &&
        before[reach.old] === after[reach.old - diagonal]
      )
        reach.old++;
      if (reach.old >= oldEnd && reach.old - diagonal >= newEnd) return inOrder(reach.last);
      reached.set(diagonal, reach);
    }
  return [{ oldFrom: head, oldTo: oldEnd, newFrom: head, newTo: newEnd }];
}

/** Removes or adds one line, starting from the better of the two neighbours. */
function nextReach(reached: ReadonlyMap<number, Reach>, diagonal: number, head: number): Reach {
  const removed = reached.get(diagonal - 1);
  const added = reached.get(diagonal + 1);
  if (!removed && !added) return { old: head };
  const adds = !removed || (added !== undefined && removed.old < added.old);
  const { old, last } = adds ? added! : removed;
  const fresh = adds ? old - diagonal - 1 : old - diagonal + 1;
  const goesOn = last?.oldTo === old && last.newTo === fresh;
  const { oldFrom, newFrom, before } = goesOn ? last : { oldFrom: old, newFrom: fresh, before: last }; // prettier-ignore
  const oldTo = adds ? old : old + 1;
  const newTo = adds ? fresh + 1 : fresh;
  return { old: oldTo, last: { oldFrom, oldTo, newFrom, newTo, before } };
}

function inOrder(last: Step | undefined): Difference[] {
  const differences: Difference[] = [];
  for (; last; last = last.before) differences.push(last);
  return differences.reverse();
}
