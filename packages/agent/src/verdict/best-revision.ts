import type { Evidence } from "@treadle/protocol";
import { EVIDENCE_PARTS, isSound, judge } from "@treadle/protocol/evidence";

interface Candidate {
  checkpoint: string;
  revision: string;
  reason: string;
}

export type SavedBest = Candidate & { score: number };

/** Remembers the best revision that a run reached, so that a repair which made things worse can be undone. */
export interface BestRevision {
  /** A stored revision with its evidence. The later of two equal ones wins. */
  offer(checkpoint: string, evidence: Evidence): void;
  /** A revision that is known to have been verified before the run. */
  offerVerified(checkpoint: string, revision: string): void;
  /** The best revision in a form that can be stored; `restore` reads it back. */
  save(): SavedBest | undefined;
  restore(saved: SavedBest): void;
  /** The best revision, if it is better than the current one. */
  better(than: Evidence): Candidate | undefined;
}

/** The score of a working revision: larger than any number of parts, so that it beats all others. */
const VERIFIED = 100;

/** The score for checks that could be tried at all: less than that of any part. */
const TRIED = 0.25;

export function createBestRevision(): BestRevision {
  let best: SavedBest | undefined;
  const take = (candidate: SavedBest) => {
    if (!best || candidate.score >= best.score) best = candidate;
  };
  return {
    offer(checkpoint, evidence) {
      const { verdict } = judge(evidence);
      const held = EVIDENCE_PARTS.filter((part) => evidence.parts[part].state === "held");
      const reason =
        verdict === "verified"
          ? "it was verified"
          : verdict === "runs"
            ? "it ran without an error"
            : held.length > 0
              ? `it held ${held.join(", ")}`
              : "";
      take({ checkpoint, revision: evidence.revision, reason, score: scoreOf(evidence) });
    },
    offerVerified(checkpoint, revision) {
      take({ checkpoint, revision, reason: "it was verified before this turn", score: VERIFIED });
    },
    save: () => best,
    restore: take,
    better(than) {
      if (!best || best.revision === than.revision || best.score <= scoreOf(than)) return undefined;
      const { checkpoint, revision, reason } = best;
      return { checkpoint, revision, reason };
    },
  };
}

/** A revision's score: parts that hold add to it, failed ones subtract, and those that do not apply change nothing. */
function scoreOf(evidence: Evidence): number {
  if (isSound(judge(evidence).verdict)) return VERIFIED;
  let score = 0;
  for (const part of EVIDENCE_PARTS) {
    const { state } = evidence.parts[part];
    if (state === "held") score += 1;
    if (state === "failed") score -= 0.5;
  }
  const checks = evidence.checks ?? [];
  // All checks together count as one part at most, since their number is up to the project.
  if (checks.length > 0)
    score += checks.filter(({ state }) => state === "held").length / checks.length;
  // No check can be tried on a page that breaks while loading; a page that breaks only when used is better.
  if (checks.some(({ state }) => state === "held" || state === "failed")) score += TRIED;
  return score;
}
