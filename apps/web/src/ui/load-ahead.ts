/** Nothing is loaded ahead before this long after it was asked for, in milliseconds. */
const AFTER_MS = 300;
/** Where the browser cannot say when it is idle, and the most that is waited for it, in milliseconds. */
const IDLE_MS = 1500;

/**
 * Loads what will soon be needed, one piece after the other and each only when nothing else goes on, so that none of
 * them stands in the way of what is shown. A piece that fails is loaded again when it is needed. Returns what ends it.
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
        // Whoever needs it asks for it again, and says what is wrong.
      }
    }
  };
  const timer = setTimeout(() => void load(), AFTER_MS);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
