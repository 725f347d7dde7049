import type { Verdict } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import type { ProjectView } from "./view.ts";

/**
 * What is known of the files as they stand, and why; undefined where nobody has looked yet. A verdict on files that
 * are others by now is not one on these.
 */
export function standing(view: ProjectView): { verdict: Verdict; reason: string } | undefined {
  const { evidence, revision, ends } = view;
  if (!evidence && ends.size === 0) return undefined;
  const seen = evidence?.revision === revision ? evidence && judge(evidence) : undefined;
  const end = ends.get(revision ?? "");
  // A turn's end has weighed more than the parts (a look that came to nothing); its own word goes first.
  if (end && end !== seen?.verdict && (!seen || seen.verdict === "unverified"))
    return { verdict: end, reason: "as the turn that left them so found them" };
  if (!seen)
    return { verdict: "unverified", reason: "the files changed since they were looked at" };
  return { verdict: seen.verdict, reason: seen.reason };
}
