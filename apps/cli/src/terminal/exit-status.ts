import type { RunOutcome, Verdict } from "@treadle/protocol";

/** The exit statuses of `treadle run`; scripts rely on them. */
export const EXIT = {
  verified: 0,
  runs: 0,
  failed: 1,
  usage: 2,
  unverified: 3,
  budget: 4,
  waiting: 5,
} as const;

/**
 * The exit status for how a run ended. A run without changes has no verdict of its own: the
 * project's verdict counts, and without one it is not verified. A plan counts as success.
 */
export function exitStatus(
  { outcome, verdict }: { outcome: RunOutcome; verdict?: Verdict },
  {
    standing,
    plan = false,
    requireVerified = false,
  }: {
    standing?: Verdict | undefined;
    plan?: boolean;
    /**
     * Whether a working project that does not show everything that was asked for counts as a
     * failure.
     */
    requireVerified?: boolean;
  } = {},
): number {
  if (outcome === "budget") return EXIT.budget;
  if (outcome !== "done") return verdict === "failed" ? EXIT.failed : EXIT.unverified;
  if (plan) return EXIT.verified;
  return verdictStatus(verdict ?? standing ?? "unverified", requireVerified);
}

/** The exit status for a verdict. */
export const verdictStatus = (verdict: Verdict, requireVerified: boolean): number =>
  verdict === "runs" && requireVerified ? EXIT.unverified : EXIT[verdict];
