import { createTokenBucket, type TokenBucket } from "@treadle/common";

/** Keys that are remembered. */
const KEYS = 1000;

/** A bucket of tokens a key: `burst` at once, then `perSecond`. Time is monotonic milliseconds. */
export function createReportRate(options: {
  burst: number;
  perSecond: number;
  now?: () => number;
}) {
  const { burst, perSecond, now = () => performance.now() } = options;
  const buckets = new Map<string, TokenBucket>();
  return {
    /** Whether one more may pass now. */
    take(key: string): boolean {
      const bucket = buckets.get(key) ?? createTokenBucket({ burst, perSecond, now });
      // Put last: the one that was asked for longest ago is first to be forgotten.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > KEYS) buckets.delete(buckets.keys().next().value ?? key);
      return bucket.take();
    },
    /** Whole seconds after which one may pass that may not now. */
    secondsToWait: (key: string): number => Math.ceil((buckets.get(key)?.untilNext() ?? 0) / 1_000),
  };
}
