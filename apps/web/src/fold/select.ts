import type { Evidence, Verdict } from "@treadle/protocol";
import { holdsWholeFile } from "@treadle/protocol/tools";
import { judge, untriedEvidence } from "@treadle/protocol/evidence";
import type { CallItem, ProjectView, Turn } from "./types.ts";

export function openTurn(view: ProjectView): Turn | undefined {
  return view.open === undefined ? undefined : view.turns[view.open];
}

/** Evidence of the revision that stands now: what was seen of an older one is not shown. */
export function shownEvidence(view: ProjectView): Evidence {
  const { evidence, revision, stale } = view;
  if (evidence && !stale && evidence.revision === revision) return evidence;
  return memoUntried(revision ?? "");
}

let untried: Evidence | undefined;
/** The same value for the same revision, so that what shows it is not drawn again. */
function memoUntried(revision: string): Evidence {
  if (untried?.revision !== revision) untried = untriedEvidence(revision);
  return untried;
}

export type ChipState = "working" | "waiting" | Verdict | "new";

/** The truth of the project: working, or waiting for the person, else what is known of exactly the revision that stands. */
export function chipState(view: ProjectView): ChipState {
  if (view.open !== undefined) return view.asked ? "waiting" : "working";
  if (view.revision === undefined && view.turns.length === 0) return "new";
  if (view.stale) return "unverified";
  const evidence = shownEvidence(view);
  const end = view.turns.findLast(
    (turn) => turn.end?.verdict !== undefined && turn.end.revision === view.revision,
  )?.end?.verdict;
  // A run's end has weighed more than the parts (a look that came to nothing); its own word goes first.
  if (evidence === view.evidence) {
    const { verdict } = judge(evidence);
    return end !== undefined && verdict === "unverified" ? end : verdict;
  }
  return end ?? "unverified";
}

/** The first characters of a revision, as a name. */
export function shortRevision(revision: string | undefined): string {
  return (revision ?? "").slice(0, 4);
}

/** The call that is writing a whole file just now. */
export function writingCall(view: ProjectView): CallItem | undefined {
  const item = openTurn(view)?.items.at(-1);
  return item?.kind === "call" && holdsWholeFile(item.tool) && item.status === "writing"
    ? item
    : undefined;
}

/** Whether a call has not ended yet. */
export function goesOn(call: CallItem): boolean {
  return call.status === "writing" || call.status === "waiting" || call.status === "running";
}

/**
 * The call that the work is at: what runs, else what is being written, else what waits for its turn. Later calls of a
 * step are written while an earlier one still runs.
 */
export function currentCall(turn: Turn): CallItem | undefined {
  const calls = turn.items.filter((item) => item.kind === "call");
  return (
    calls.findLast(({ status }) => status === "running") ??
    calls.findLast(({ status }) => status === "writing") ??
    calls.findLast(({ status }) => status === "waiting")
  );
}

/** Messages that wait for the run before them. */
export function queuedTurns(view: ProjectView): Turn[] {
  return view.turns.filter((turn) => turn.queued);
}

/** The checkpoint that stood before the turn and the last that it made; nothing where it kept none. */
export function turnCheckpoints(
  view: ProjectView,
  turn: Turn,
): { before?: string; after?: string } {
  const after = view.checkpoints.findLast(
    (one) => one.run !== undefined && one.run === turn.run,
  )?.checkpoint;
  if (after === undefined || turn.before === undefined || after === turn.before) return {};
  return { before: turn.before, after };
}

/** Tokens and money of all runs, the one that goes on included. */
export function totalUsage(view: ProjectView): { tokens: number; costUsd?: number } {
  let tokens = 0;
  let costUsd: number | undefined;
  for (const turn of view.turns) {
    const usage = turn.end?.usage ?? turn.usage;
    tokens += usage.inputTokens + usage.outputTokens;
    if (usage.costUsd !== undefined) costUsd = (costUsd ?? 0) + usage.costUsd;
  }
  const extra = view.extraUsage;
  if (extra) tokens += extra.inputTokens + extra.outputTokens;
  if (extra?.costUsd !== undefined) costUsd = (costUsd ?? 0) + extra.costUsd;
  return costUsd === undefined ? { tokens } : { tokens, costUsd };
}
