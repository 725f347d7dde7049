/**
 * Lets `burst` through at once, and `perSecond` from then on.
 * @param now milliseconds
 * @returns whether one more may pass
 */
export function createRateLimit(
  { burst, perSecond }: { burst: number; perSecond: number },
  now: () => number = () => performance.now(),
): () => boolean {
  let left = burst;
  let last = now();
  return () => {
    const at = now();
    left = Math.min(burst, left + ((at - last) / 1_000) * perSecond);
    last = at;
    if (left < 1) return false;
    left--;
    return true;
  };
}
