/** Milliseconds between flushes while the page is hidden and frames do not come. */
const HIDDEN_MS = 250;

/**
 * Gathers what arrives and hands it on once for each frame, so that a hundred entries cost one drawing.
 * @returns `push`, and `clear`, which drops what was not handed on.
 */
export function createFrameQueue<T>(flush: (items: T[]) => void): {
  push: (items: readonly T[]) => void;
  clear: () => void;
} {
  let waiting: T[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
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
      frame = requestAnimationFrame(run);
      timer = setTimeout(run, HIDDEN_MS);
    },
    clear: () => {
      waiting = [];
      run();
    },
  };
}
