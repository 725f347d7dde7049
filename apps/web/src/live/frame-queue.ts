/** Milliseconds between flushes while the page is hidden and frames do not come. */
const HIDDEN_MS = 250;

/**
 * Gathers what arrives and hands it on at a steady pace, so that a hundred entries cost one drawing; the first after
 * a pause comes with the next frame.
 * @param paceOf milliseconds between two flushes, by what waits. Asked again with every push: what is urgent does not
 *   wait for the pace of what is not
 * @returns `push`, and `clear`, which drops what was not handed on.
 */
export function createFrameQueue<T>(
  flush: (items: T[]) => void,
  paceOf: (waiting: readonly T[]) => number,
): {
  push: (items: readonly T[]) => void;
  clear: () => void;
} {
  let waiting: T[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  /** When the timer goes off. */
  let due = Number.NEGATIVE_INFINITY;
  const schedule = () => {
    frame = requestAnimationFrame(run);
    timer = setTimeout(run, HIDDEN_MS);
  };
  const run = () => {
    last = performance.now();
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
    const items = waiting;
    waiting = [];
    if (items.length > 0) flush(items);
  };
  return {
    push: (items) => {
      for (const item of items) waiting.push(item);
      if (frame !== undefined) return;
      const next = last + paceOf(waiting);
      if (timer !== undefined && next === due) return;
      clearTimeout(timer);
      due = next;
      const rest = next - performance.now();
      if (rest > 0) timer = setTimeout(schedule, rest);
      else schedule();
    },
    clear: () => {
      waiting = [];
      run();
    },
  };
}
