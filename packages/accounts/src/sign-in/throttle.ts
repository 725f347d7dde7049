import { createTokenBucket, type TokenBucket } from "@treadle/common";
import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";

/** Failed attempts for one name at once, and how many more an hour; then for all names together. */
const ONE = { burst: 8, perSecond: 12 / 3600 };
const ALL = { burst: 60, perSecond: 600 / 3600 };
/** Names that are remembered. */
const NAMES = 2_000;

/** Slows guessing down. Successes cost nothing. */
export interface Throttle {
  /** @throws ApiFailure 429 `too-many-tries` */
  check(name: string): void;
  recordFailure(name: string): void;
}

export function createThrottle(now?: () => number): Throttle {
  const all = createTokenBucket({ ...ALL, now });
  const names = new Map<string, TokenBucket>();
  const refuse = (bucket: TokenBucket) => {
    const ms = bucket.untilNext();
    if (ms > 0)
      throw new ApiFailure(
        429,
        "too-many-tries",
        sentence("too-many-tries", { minutes: Math.ceil(ms / 60_000) }),
      );
  };
  return {
    check(name) {
      refuse(all);
      const bucket = names.get(name);
      if (bucket) refuse(bucket);
    },
    recordFailure(name) {
      const bucket = names.get(name) ?? createTokenBucket({ ...ONE, now });
      // The newest are at the end, the oldest are forgotten first.
      names.delete(name);
      names.set(name, bucket);
      if (names.size > NAMES) names.delete(names.keys().next().value ?? "");
      bucket.take();
      all.take();
    },
  };
}
