import type { RunOutcome, Verdict } from "@treadle/protocol";

/** The exit statuses of `treadle run`; scripts rely on them. */
export const EXIT = {
  verified: 0,
  failed: 1,
  usage: 2,
  unverified: 3,
  budget: 4,
  waiting: 5,
} as const;

/** The exit status for how a run ended. A run that changed nothing and ended well has nothing to verify: 0. */
export function exitStatus(outcome: RunOutcome, verdict: Verdict | undefined): number {
  if (outcome === "budget") return EXIT.budget;
  if (outcome !== "done") return verdict === "failed" ? EXIT.failed : EXIT.unverified;
  return verdict === undefined ? EXIT.verified : EXIT[verdict];
}
