import type { ModelFailure } from "./model-failure.ts";

/** First delay if the provider names none, in milliseconds; it doubles with each try. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** If the provider asks for a longer delay, the call is not retried: the person decides. */
const LONGEST_ASKED_MS = 120_000;
/** Maximum calls for answers that stalled before they began: each try may take minutes. */
const SLOW_TRIES = 2;

/**
 * How long to wait before a model is asked again, in milliseconds; undefined if it must not be asked again.
 * @param tries calls made so far, including the failed one @param most maximum number of calls @param random returns 0
 * to 1, for the jitter
 */
export function retryDelay(
  failure: ModelFailure,
  tries: number,
  most: number,
  random: () => number,
): number | undefined {
  if (!failure.retryable || tries >= most) return undefined;
  if (failure.code === "stalled" && tries >= SLOW_TRIES) return undefined;
  if (failure.retryAfterMs !== undefined) {
    if (failure.retryAfterMs > LONGEST_ASKED_MS) return undefined;
    // Never earlier than requested, and a little later: clients that were refused together should not return together.
    return Math.round(failure.retryAfterMs * (1 + 0.1 * random()));
  }
  const fullDelayMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  return Math.round(fullDelayMs * (0.5 + 0.5 * random()));
}
