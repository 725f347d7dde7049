import type { Clock } from "../ports/clock.ts";

/**
 * Returns the promise, or rejects with the signal's reason as soon as it is aborted, so that work that ignores the
 * signal cannot hold up a stop. The work itself goes on; its result is then ignored.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {});
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/**
 * Calls `onIdle` once when `touch` was not called for `ms` milliseconds. Uses one timer, whatever the number of
 * touches: one for each piece of a stream would cost more than the stream.
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

/**
 * A signal that is aborted with `reason` after `ms` milliseconds of the injected clock, unless `cancel` is called
 * before. (`AbortSignal.timeout` and p-timeout use the machine's clock, for which a test would have to wait.)
 */
export function deadlineAfter(
  clock: Clock,
  ms: number,
  reason?: Error,
): { signal: AbortSignal; cancel(): void } {
  const passed = new AbortController();
  const timer = new AbortController();
  clock.sleep(ms, timer.signal).then(
    () => {
      if (!timer.signal.aborted) passed.abort(reason);
    },
    () => {},
  );
  return { signal: passed.signal, cancel: () => timer.abort() };
}
