import type { Verdict } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import type { ProjectView } from "./view.ts";

/**
 * What is known of the files as they stand, and why; undefined where nobody has looked yet. A verdict on files that
 * are others by now is not one on these.
 */
export function standing(view: ProjectView): { verdict: Verdict; reason: string } | undefined {
  const { evidence, revision, end } = view;
  if (!evidence && !end) return undefined;
  const seen = evidence?.revision === revision ? evidence && judge(evidence) : undefined;
  // A turn's end has weighed more than the parts (a look that came to nothing); its own word goes first.
  if (end?.revision === revision && end && (!seen || seen.verdict === "unverified"))
    return {
      verdict: end.verdict,
      reason: seen?.verdict === end.verdict ? seen.reason : "as the last turn found it",
    };
  if (!seen)
    return { verdict: "unverified", reason: "the files changed since they were looked at" };
  return { verdict: seen.verdict, reason: seen.reason };
}
