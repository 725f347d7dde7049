import { setImmediate as macrotask } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

/** Shorter sleeps end by themselves, as fast as the loop turns; longer ones are watchdogs and wait for `advance`. */
const PASSES_BY_ITSELF = 100_000;

export interface FakeClock extends Clock {
  /** Advances the time, and wakes everything that is due. */
  advance(ms: number): void;
  /** All requested sleeps, in milliseconds. */
  readonly slept: number[];
}

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start;
  const waiting = new Set<{ at: number; wake: () => void }>();
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms, signal) {
      slept.push(ms);
      signal?.throwIfAborted();
      if (ms <= PASSES_BY_ITSELF) {
        await macrotask();
        signal?.throwIfAborted();
        // Pieces of a stream are collected within 20 ms of real time; only longer waits advance the clock.
        if (ms > 50) now += ms;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const entry = { at: now + ms, wake: resolve };
        waiting.add(entry);
        signal?.addEventListener("abort", () => {
          waiting.delete(entry);
          reject(signal.reason);
        });
      });
    },
    advance(ms) {
      now += ms;
      for (const entry of waiting)
        if (entry.at <= now) {
          waiting.delete(entry);
          entry.wake();
        }
    },
  };
}
