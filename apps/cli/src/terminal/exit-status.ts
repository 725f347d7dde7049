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
 * The exit status for how a run ended. One that changed nothing has no verdict of its own: the project's counts, and
 * where nobody has looked at that yet it is not verified. A plan is all that was asked for.
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
    /** What runs and does not show all that was asked for is not enough. */
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
