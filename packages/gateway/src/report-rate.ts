import { createTokenBucket, type TokenBucket } from "@treadle/common";

/** Maximum number of remembered keys. */
const KEYS = 1000;

/**
 * A token bucket per key: `burst` at once, then `perSecond`. Time in milliseconds on a monotonic
 * clock.
 */
export function createReportRate(options: {
  burst: number;
  perSecond: number;
  now?: () => number;
}) {
  const { burst, perSecond, now = () => performance.now() } = options;
  const buckets = new Map<string, TokenBucket>();
  return {
    /** Whether one more call is allowed now. */
    take(key: string): boolean {
      const bucket = buckets.get(key) ?? createTokenBucket({ burst, perSecond, now });
      // Moved to the end, so that the least recently used key is dropped first.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > KEYS) buckets.delete(buckets.keys().next().value ?? key);
      return bucket.take();
    },
    /** Seconds, rounded up, until the next call is allowed. */
    secondsToWait: (key: string): number => Math.ceil((buckets.get(key)?.untilNext() ?? 0) / 1_000),
  };
}
