import type { Clock } from "../ports/clock.ts";

/**
 * Calls `onIdle` once when `touch` was not called for `ms` milliseconds. One sleeping timer, whatever the number of
 * touches: a timer for each piece of a stream would cost more than the stream.
 */
export function watchIdle(
  clock: Clock,
  ms: number,
  onIdle: () => void,
): { touch(): void; stop(): void } {
  const stopped = new AbortController();
  let last = clock.now();
  const watch = async () => {
    for (;;) {
      const left = last + ms - clock.now();
      if (left <= 0) return onIdle();
      await clock.sleep(left, stopped.signal);
      if (stopped.signal.aborted) return;
    }
  };
  watch().catch(() => {});
  return {
    touch() {
      last = clock.now();
    },
    stop: () => stopped.abort(),
  };
}
