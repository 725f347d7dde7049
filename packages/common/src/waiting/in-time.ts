import { setTimeout as after } from "node:timers/promises";

/**
 * The result of work, or undefined if it takes longer than the given milliseconds or the signal is aborted first.
 * Rejects as the work does, and leaves no timer. p-timeout is not used because it rejects on a timeout, while callers
 * here continue without the work.
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
