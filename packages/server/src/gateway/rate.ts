/** A bucket of tokens a key: `burst` at once, then `perSecond`. Time is monotonic milliseconds. */
export function createRate(options: { burst: number; perSecond: number; now?: () => number }) {
  const { burst, perSecond, now = () => performance.now() } = options;
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    /** Whether one more may pass now. */
    take(key: string): boolean {
      const at = now();
      const bucket = buckets.get(key) ?? { left: burst, at };
      const left = Math.min(burst, bucket.left + ((at - bucket.at) / 1000) * perSecond);
      // Put last: the one that was asked for longest ago is first to be forgotten.
      buckets.delete(key);
      buckets.set(key, { left: left >= 1 ? left - 1 : left, at });
      if (buckets.size > KEYS) buckets.delete(buckets.keys().next().value ?? key);
      return left >= 1;
    },
  };
}

/** Keys that are remembered. */
const KEYS = 1000;
