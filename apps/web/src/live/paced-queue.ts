/**
 * Collects items and flushes them at a steady pace, so that a hundred entries cost one update; the first after a pause is
 * flushed at once. Uses a task rather than an animation frame: an editor measures in the frame after an update, which would
 * otherwise need a second frame each time.
 * @param paceOf milliseconds between flushes for the waiting items. Called at every push, so that urgent items do not
 * wait for the pace of others
 * @returns `push`, and `clear`, which drops the waiting items
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
  /** When the timer fires. */
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
