/**
 * Gathers what arrives and hands it on at a steady pace, so that a hundred entries cost one drawing; the first after
 * a pause goes on at once. In a task of its own and not with a frame: what is asked for with the next frame while it is
 * shown (an editor measures there) would need a second one for each.
 * @param paceOf milliseconds between two flushes, by what waits. Asked again with every push: what is urgent does not
 *   wait for the pace of what is not
 * @returns `push`, and `clear`, which drops what was not handed on.
 */
export function createPacedQueue<T>(
  flush: (items: T[]) => void,
  paceOf: (waiting: readonly T[]) => number,
): {
  push: (items: readonly T[]) => void;
  clear: () => void;
} {
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  /** When the timer goes off. */
  let due = Number.NEGATIVE_INFINITY;
  const run = () => {
    last = performance.now();
    timer = undefined;
    const items = waiting;
    waiting = [];
    if (items.length > 0) flush(items);
  };
  return {
    push: (items) => {
      for (const item of items) waiting.push(item);
      const next = last + paceOf(waiting);
      if (timer !== undefined && next === due) return;
      clearTimeout(timer);
      due = next;
      timer = setTimeout(run, next - performance.now());
    },
    clear: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
    },
  };
}
