import type { Verdict } from "@treadle/protocol";
import type { Judged, Judgement } from "./read-judgements.ts";

/** From bad to good. */
const RANK: Record<Verdict, number> = { failed: 0, unverified: 1, runs: 2, verified: 3 };

/** How well the judges agree with Treadle's verdicts. */
export interface Agreement {
  /** Number of tasks with both a judgement and a verdict. */
  tasks: number;
  /** By verdict: how many tasks, and the share of the judges' points that they got. */
  byVerdict: { verdict: Verdict; tasks: number; share: number }[];
  /**
   * Of all pairs of tasks whose verdicts differ, the share in which the judges gave more points to the better one; a tie counts
   * half. ½ is chance, 1 is the same order. Null without such a pair.
   */
  sameOrder: number | null;
}

/** The share of points that a task got from its judges, equally weighted; null if none judged it. */
export function shareOf({ frontend, backend, database }: Judgement): number | null {
  const judged = [frontend, backend, database].filter(
    (one): one is Judged => one !== undefined && one.of > 0,
  );
  if (judged.length === 0) return null;
  return judged.reduce((sum, one) => sum + one.reached / one.of, 0) / judged.length;
}

/** Compares verdicts with the judges' shares, task by task. */
export function agreementOf(
  results: readonly { id: string; verdict: Verdict | null }[],
  judgements: ReadonlyMap<string, Judgement>,
): Agreement {
  const judged = results.flatMap(({ id, verdict }) => {
    const share = shareOf(judgements.get(id) ?? {});
    return verdict === null || share === null ? [] : [{ verdict, share }];
  });
  let pairs = 0;
  let same = 0;
  for (const [index, one] of judged.entries())
    for (const other of judged.slice(index + 1)) {
      const byVerdict = Math.sign(RANK[one.verdict] - RANK[other.verdict]);
      if (byVerdict === 0) continue;
      pairs++;
      const byJudges = Math.sign(one.share - other.share);
      same += byJudges === 0 ? 0.5 : byJudges === byVerdict ? 1 : 0;
    }
  const verdicts = (Object.keys(RANK) as Verdict[]).toReversed();
  return {
    tasks: judged.length,
    byVerdict: verdicts.flatMap((verdict) => {
      const shares = judged.filter((one) => one.verdict === verdict).map(({ share }) => share);
      if (shares.length === 0) return [];
      const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
      return [{ verdict, tasks: shares.length, share }];
    }),
    sameOrder: pairs === 0 ? null : same / pairs,
  };
}
