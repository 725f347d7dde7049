/** A stretch of lines that differ: `[oldFrom, oldTo)` of the old ones became `[newFrom, newTo)` of the new ones. */
export interface Difference {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

/**
 * Lines changed at most before the rest counts as one difference: the search remembers the square of it, and a diff
 * of more than this is longer than the file.
 */
const CHANGE_LIMIT = 1_000;

/** The shortest way from one list of lines to another (Myers), as stretches in order. */
export function diffLines(before: readonly string[], after: readonly string[]): Difference[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  if (old.length === 0 && fresh.length === 0) return [];
  const steps = shortestScript(old, fresh);
  if (!steps)
    return [
      {
        oldFrom: head,
        oldTo: head + old.length,
        newFrom: head,
        newTo: head + fresh.length,
      },
    ];
  return joinSteps(steps, head);
}

/** One line removed (`-`) or added (`+`), and where both sides stand then. */
interface Step {
  kind: "-" | "+";
  old: number;
  new: number;
}

function shortestScript(old: readonly string[], fresh: readonly string[]): Step[] | undefined {
  const limit = Math.min(old.length + fresh.length, CHANGE_LIMIT);
  const reach = new Map<number, number>([[1, 0]]);
  const history: Map<number, number>[] = [];
  for (let changes = 0; changes <= limit; changes++) {
    history.push(new Map(reach));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = firstReach(reach, diagonal, changes);
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) x++;
      reach.set(diagonal, x);
      if (x >= old.length && x - diagonal >= fresh.length)
        return walkBack(history, old.length, fresh.length);
    }
  }
  return undefined;
}

function firstReach(reach: Map<number, number>, diagonal: number, changes: number): number {
  const left = reach.get(diagonal - 1) ?? -1;
  const right = reach.get(diagonal + 1) ?? -1;
  return diagonal === -changes || (diagonal !== changes && left < right) ? right : left + 1;
}

function walkBack(history: readonly Map<number, number>[], x: number, y: number): Step[] {
  const steps: Step[] = [];
  for (let changes = history.length - 1; changes > 0; changes--) {
    const reach = history[changes]!;
    const diagonal = x - y;
    const left = reach.get(diagonal - 1) ?? -1;
    const right = reach.get(diagonal + 1) ?? -1;
    const added = diagonal === -changes || (diagonal !== changes && left < right);
    const from = added ? right : left;
    y = from - (added ? diagonal + 1 : diagonal - 1);
    x = from;
    steps.push({ kind: added ? "+" : "-", old: x, new: y });
  }
  return steps.reverse();
}

function joinSteps(steps: readonly Step[], offset: number): Difference[] {
  const differences: Difference[] = [];
  for (const step of steps) {
    const old = step.old + offset;
    const fresh = step.new + offset;
    let last = differences.at(-1);
    if (!last || last.oldTo !== old || last.newTo !== fresh) {
      last = { oldFrom: old, oldTo: old, newFrom: fresh, newTo: fresh };
      differences.push(last);
    }
    if (step.kind === "-") last.oldTo++;
    else last.newTo++;
  }
  return differences;
}
