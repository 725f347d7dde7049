import type { ModelFailure } from "./model-failure.ts";

/** First wait where the provider names none; it doubles with each try. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** A provider that asks for more than this is not waited for: a person decides. */
const LONGEST_ASKED_MS = 120_000;
/** A stalled or cut answer that had not begun is asked for once more only: each try may cost minutes. */
const SLOW_TRIES = 2;

/**
 * How long to wait before a model is asked again, in milliseconds; undefined where it must not be asked again.
 * @param tries calls made so far, the failed one included. @param random 0 to 1.
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
    // Never earlier than asked, a little later: all who were refused at once must not come back at once.
    return Math.round(failure.retryAfterMs * (1 + 0.1 * random()));
  }
  const fullDelayMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  return Math.round(fullDelayMs * (0.5 + 0.5 * random()));
}
