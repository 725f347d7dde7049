/** Milliseconds between flushes while the page is hidden and frames do not come. */
const HIDDEN_MS = 250;
/** Milliseconds between flushes: text that grows 20 times a second reads as flowing, at a third of the cost of 60. */
const PACE_MS = 50;

/**
 * Gathers what arrives and hands it on at a steady pace, so that a hundred entries cost one drawing; the first after
 * a pause comes with the next frame.
 * @returns `push`, and `clear`, which drops what was not handed on.
 */
export function createFrameQueue<T>(flush: (items: T[]) => void): {
  push: (items: readonly T[]) => void;
  clear: () => void;
} {
  let waiting: T[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = -PACE_MS;
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
      if (frame !== undefined || timer !== undefined) return;
      const due = last + PACE_MS - performance.now();
      if (due > 0) timer = setTimeout(schedule, due);
      else schedule();
    },
    clear: () => {
      waiting = [];
      run();
    },
  };
}
