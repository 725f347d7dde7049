/** Delay before preloading starts, in milliseconds. */
const AFTER_MS = 300;
/**
 * Maximum wait for an idle browser before each part, in milliseconds; a browser that cannot report idle time waits 0.
 */
const IDLE_MS = 1500;

/**
 * Preloads parts that will soon be needed, one after the other and preferably while the browser is idle, so that they
 * do not delay what is shown. A part that fails is loaded again when needed. Returns a function that stops the
 * preloading.
 */
export function loadAhead(pieces: readonly (() => Promise<unknown> | void)[]): () => void {
  let ended = false;
  const idle = () =>
    new Promise<void>((resolve) => {
      if (typeof requestIdleCallback === "function")
        requestIdleCallback(() => resolve(), { timeout: IDLE_MS });
      else setTimeout(resolve, 0);
    });
  const load = async () => {
    for (const piece of pieces) {
      await idle();
      if (ended) return;
      try {
        await piece();
      } catch {
        // The part is loaded again when it is needed, and reports the failure then.
      }
    }
  };
  const timer = setTimeout(() => void load(), AFTER_MS);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
