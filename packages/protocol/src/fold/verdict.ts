import { judge, untriedEvidence } from "../evidence/judge.ts";
import type { Evidence, Verdict } from "../evidence/types.ts";
import { activityOf } from "./activity.ts";
import type { ProjectState } from "./types.ts";

/** The status that the chip, the list and the card show: the activity, else the verdict on exactly the current files. */
export type ProjectStatus = "working" | "waiting" | Verdict | "new";

/** A verdict, and why. */
export interface VerdictWithReason {
  verdict: Verdict;
  reason: string;
}

/** The status of a project. */
export function statusOf(state: ProjectState): ProjectStatus {
  const activity = activityOf(state);
  if (activity === "waiting") return "waiting";
  // Unfinished evidence has no verdict, and it replaces the earlier evidence.
  if (activity !== "idle") return "working";
  const found = verdictOf(state);
  if (found) return found.verdict;
  const isNew = state.lastMessage === undefined && state.checkpoints.length === 0;
  return isNew && state.revision === undefined ? "new" : "unverified";
}

/** The status of a project from its summary, as in a list. */
export function summaryStatus({
  waits,
  working,
  verdict,
}: {
  waits?: boolean | undefined;
  working: boolean;
  verdict?: Verdict | undefined;
}): ProjectStatus {
  if (waits) return "waiting";
  return working ? "working" : (verdict ?? "new");
}

/**
 * The verdict on the current files with its reason; undefined if there is none. A verdict on
 * earlier files does not count.
 */
export function verdictOf(state: ProjectState): VerdictWithReason | undefined {
  const { revision, known } = state;
  if (known.size === 0) return undefined;
  const found = revision === undefined ? undefined : verdictOn(state, revision);
  return found ?? { verdict: "unverified", reason: "the files changed since they were looked at" };
}

/** The verdict on a revision, current or not; undefined if there is none. */
export function verdictOn(
  { known }: Pick<ProjectState, "known">,
  revision: string,
): VerdictWithReason | undefined {
  const { evidence, end } = known.get(revision) ?? {};
  const seen = evidence && judge(evidence);
  // The end of a turn considers more than the parts (for example, a check that was interrupted), so its verdict takes
  // precedence.
  if (end && end !== seen?.verdict && (!seen || seen.verdict === "unverified"))
    return { verdict: end, reason: "as the turn that left them so found them" };
  return seen && { verdict: seen.verdict, reason: seen.reason };
}

/** The evidence for the current files; that of other revisions is not shown. */
export function evidenceOf({ revision, known }: ProjectState): Evidence {
  const seen = revision === undefined ? undefined : known.get(revision)?.evidence;
  return seen ?? untriedOf(revision ?? "");
}

/** Maximum number of cached states: more than the projects that any page shows together. */
const UNTRIED_KEPT = 100;
const untried = new Map<string, Evidence>();
/**
 * Returns the same object for the same revision, so that the page need not render again; also if
 * several projects are shown at once.
 */
function untriedOf(revision: string): Evidence {
  const known = untried.get(revision);
  if (known) return known;
  const evidence = untriedEvidence(revision);
  untried.set(revision, evidence);
  if (untried.size > UNTRIED_KEPT) untried.delete(untried.keys().next().value!);
  return evidence;
}
