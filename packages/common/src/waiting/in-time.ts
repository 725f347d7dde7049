import { setTimeout as after } from "node:timers/promises";

/**
 * What work comes to; undefined where it takes longer than so many milliseconds, or than until the signal. Rejects as the
 * work does, and leaves no timer. By hand, on the platform's own timers: p-timeout rejects where this says undefined, and
 * whoever asks goes on without the work either way.
 */
export async function inTime<Result>(
  work: Promise<Result>,
  ms: number,
  signal?: AbortSignal,
): Promise<Result | undefined> {
  const timer = new AbortController();
  const ends = signal ? AbortSignal.any([timer.signal, signal]) : timer.signal;
  const late = after(ms, undefined, { signal: ends }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}
