import { setTimeout as wait } from "node:timers/promises";

export interface Pace {
  /** Characters of the model's text per second; 0 or absent: as fast as the client reads. */
  charactersPerSecond?: number;
  /** Milliseconds before the first event. */
  firstMs?: number;
}

/**
 * Shorter waits are accumulated: timers are not more precise, and one per token would slow down a
 * fast pace.
 */
const SHORTEST_WAIT_MS = 4;

/** Waits until the next characters are due. Aborting ends the wait at once, without an error. */
export function createMetronome(
  pace: Pace,
  signal: AbortSignal,
): { begin(): Promise<void>; played(characters: number): Promise<void> } {
  const rate = pace.charactersPerSecond ?? 0;
  let startedAt = performance.now();
  let characters = 0;
  const sleep = (ms: number): Promise<void> =>
    wait(ms, undefined, { signal }).catch(() => undefined);
  return {
    async begin() {
      if (pace.firstMs !== undefined && pace.firstMs > 0) await sleep(pace.firstMs);
      startedAt = performance.now();
    },
    async played(count) {
      if (rate <= 0 || count === 0) return;
      characters += count;
      const due = startedAt + (characters / rate) * 1_000 - performance.now();
      if (due >= SHORTEST_WAIT_MS) await sleep(due);
    },
  };
}
