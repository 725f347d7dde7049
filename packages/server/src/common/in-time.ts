import { setTimeout as after } from "node:timers/promises";

/** What work comes to; undefined where it takes longer than so many milliseconds. Rejects as the work does, and leaves no timer. */
export async function inTime<Result>(
  work: Promise<Result>,
  ms: number,
): Promise<Result | undefined> {
  const over = new AbortController();
  const late = after(ms, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
