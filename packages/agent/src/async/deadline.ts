import type { Clock } from "../ports/clock.ts";

/**
 * A signal that is aborted with `reason` when `ms` have passed by the clock that was injected, unless it is over before.
 * (`AbortSignal.timeout` and p-timeout go by the machine's own clock, for which a test would have to wait.)
 */
export function deadlineAfter(
  clock: Clock,
  ms: number,
  reason?: Error,
): { signal: AbortSignal; over(): void } {
  const passed = new AbortController();
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(
    () => {
      if (!over.signal.aborted) passed.abort(reason);
    },
    () => {},
  );
  return { signal: passed.signal, over: () => over.abort() };
}
