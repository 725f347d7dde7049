export interface TokenBucket {
  /** Takes a number of tokens (one by default). Returns whether there were enough; otherwise takes none. */
  take(count?: number): boolean;
  /** Returns a token that was taken. */
  giveBack(): void;
  /** Milliseconds until the next token, if nobody else takes it. */
  untilNext(): number;
}

/**
 * Creates a bucket that holds `burst` tokens at most, starts full, and refills `perSecond` tokens per second.
 * @param options.now a clock, in milliseconds
 */
export function createTokenBucket(options: {
  burst: number;
  perSecond: number;
  now?: (() => number) | undefined;
}): TokenBucket {
  const { burst, perSecond, now = () => performance.now() } = options;
  let left = burst;
  let filledAt = now();
  const fill = () => {
    const at = now();
    left = Math.min(burst, left + ((at - filledAt) / 1_000) * perSecond);
    filledAt = at;
  };
  return {
    take(count = 1) {
      fill();
      if (count > left) return false;
      left -= count;
      return true;
    },
    giveBack() {
      left = Math.min(burst, left + 1);
    },
    untilNext() {
      fill();
      return (Math.max(0, 1 - left) / perSecond) * 1_000;
    },
  };
}
