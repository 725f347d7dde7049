import type { AttemptResult, ComparedAttempt, Verdict } from "@treadle/protocol";

/** An attempt that has ended. */
export type EndedAttempt = ComparedAttempt & { project: string; result: AttemptResult };

/** The criterion by which an attempt won; `only`: there is no other. */
export type WonBy = "only" | "verdict" | "checks" | "cost";

const RANK: Record<Verdict, number> = { verified: 4, runs: 3, unverified: 2, failed: 1 };
const NO_VERDICT = 0;

/** Attempts that ended, successfully or not: their files can be applied. */
export const endedOf = (attempts: readonly ComparedAttempt[]): EndedAttempt[] =>
  attempts.filter(
    (attempt): attempt is EndedAttempt =>
      attempt.project !== undefined && attempt.result !== undefined,
  );

/**
 * The best attempts: by verdict, then by fewer failed checks, then by more passed ones, then by
 * cost if known for all remaining ones.
 * @returns several if they are equal; empty if there are none
 */
export function bestOf(ended: readonly EndedAttempt[]): { best: EndedAttempt[]; by: WonBy } {
  const byVerdict = least(ended, ({ result: { verdict } }) =>
    verdict === undefined ? -NO_VERDICT : -RANK[verdict],
  );
  const byMissing = least(byVerdict, ({ result: { checks } }) =>
    checks ? checks.all - checks.held : 0,
  );
  const byChecks = least(byMissing, ({ result: { checks } }) => -(checks?.held ?? 0));
  const isPriced = byChecks.every(({ result: { usage } }) => usage.costUsd !== undefined);
  const best = isPriced ? least(byChecks, ({ result }) => result.usage.costUsd ?? 0) : byChecks;
  const by =
    ended.length < 2
      ? "only"
      : byVerdict.length === 1
        ? "verdict"
        : byChecks.length === 1
          ? "checks"
          : "cost";
  return { best, by };
}

function least<T>(all: readonly T[], measure: (one: T) => number): T[] {
  const lowest = Math.min(...all.map(measure));
  return all.filter((one) => measure(one) === lowest);
}
