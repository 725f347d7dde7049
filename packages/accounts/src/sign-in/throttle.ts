import { ApiFailure, createTokenBucket, type TokenBucket } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";

/** Number of failed attempts that are allowed at once, and how many more per second. */
const LIMITS = {
  /** At one account, by browsers that have never signed in to it. */
  account: { burst: 8, perSecond: 12 / 3600 },
  /** At one account, by browsers that have: strangers cannot use these up. */
  known: { burst: 8, perSecond: 12 / 3600 },
  /** From one address. A school has one for many people. */
  client: { burst: 20, perSecond: 60 / 3600 },
  /** From this machine. Everybody who uses the same forwarded port appears to be on it. */
  machine: { burst: 60, perSecond: 600 / 3600 },
};
/** Maximum number of names that are remembered per kind of limit. */
const NAMES = 10_000;

type Kind = keyof typeof LIMITS;

/** Limits failed attempts, which slows guessing down. Successful attempts do not count. */
export interface Throttle {
  /**
   * Counts an attempt as failed until it succeeds, so that attempts at the same time count as well.
   * @param limits the name to count under, per kind of limit
   * @returns a function to call once the attempt has succeeded
   * @throws ApiFailure 429 `too-many-tries`
   */
  begin(limits: Partial<Record<Kind, string>>): () => void;
}

export function createThrottle(now?: () => number): Throttle {
  const buckets = new Map<Kind, Map<string, TokenBucket>>();

  function bucketOf(kind: Kind, name: string): TokenBucket {
    const ofKind = buckets.get(kind) ?? new Map<string, TokenBucket>();
    buckets.set(kind, ofKind);
    const bucket = ofKind.get(name) ?? createTokenBucket({ ...LIMITS[kind], now });
    // Names that were used last are at the end, and the others are forgotten first.
    ofKind.delete(name);
    ofKind.set(name, bucket);
    if (ofKind.size > NAMES) ofKind.delete(ofKind.keys().next().value ?? "");
    return bucket;
  }

  return {
    begin(limits) {
      const counted = (Object.entries(limits) as [Kind, string][]).map(([kind, name]) =>
        bucketOf(kind, name),
      );
      const ms = Math.max(0, ...counted.map((bucket) => bucket.untilNext()));
      if (ms > 0)
        throw new ApiFailure(
          429,
          "too-many-tries",
          sentence("too-many-tries", { minutes: Math.ceil(ms / 60_000) }),
        );
      for (const bucket of counted) bucket.take();
      return () => {
        for (const bucket of counted) bucket.giveBack();
      };
    },
  };
}
