import type { Evidence } from "@treadle/protocol";
import { isSound, judge } from "@treadle/protocol/evidence";
import { holdsWholeFile } from "@treadle/protocol/tools";
import { addUsage, verdictOf, verdictOn, isRunning } from "@treadle/protocol/fold";
import { conversationFilter } from "./folded-turns.ts";
import { indexOfCall } from "./draft.ts";
import type { CallItem, ProjectView, RunEnd, Turn } from "./types.ts";

export function openTurn(view: ProjectView): Turn | undefined {
  return view.open === undefined ? undefined : view.turns[view.open];
}

/** The first four characters of a revision, as a short name; "" if there is no revision. */
export function shortRevision(revision: string | undefined): string {
  return (revision ?? "").slice(0, 4);
}

/** The call in which the model is currently writing a complete file; undefined if there is none. */
export function writingCall(view: ProjectView): CallItem | undefined {
  const item = openTurn(view)?.items.at(-1);
  return item?.kind === "call" && holdsWholeFile(item.tool) && item.status === "writing"
    ? item
    : undefined;
}

/** Whether a call has not ended yet: it is being written, waits or runs. */
export function isUnfinished(call: CallItem): boolean {
  return call.status === "writing" || call.status === "waiting" || call.status === "running";
}

/**
 * The call to show as current: the running one, or else the one being written, or else the one waiting, or else
 * undefined. Later calls of a step are written while an earlier one still runs.
 */
export function currentCall(turn: Turn): CallItem | undefined {
  const calls = turn.items.filter((item) => item.kind === "call");
  return (
    calls.findLast(({ status }) => status === "running") ??
    calls.findLast(({ status }) => status === "writing") ??
    calls.findLast(({ status }) => status === "waiting")
  );
}

/** Whether the to-do list is finished: everything is done, and the conversation has continued. */
export function isTodoFinished({ todo = [], todoTurn, turns }: ProjectView): boolean {
  if (todo.some(({ status }) => status !== "done")) return false;
  return turns.findLast((turn) => !turn.queued)?.message !== todoTurn;
}

/** Messages that wait for an earlier run. */
export function queuedTurns(view: ProjectView): Turn[] {
  return view.turns.filter((turn) => turn.queued);
}

/** The checkpoint before the turn, and the last that the turn made. Both are absent if it made none. */
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

/** The checkpoint before the last turn of the conversation that changed anything; undefined if none did. */
export function lastTurnStart(view: ProjectView): string | undefined {
  const isInConversation = conversationFilter(view);
  for (let index = view.turns.length - 1; index >= 0; index -= 1) {
    const turn = view.turns[index];
    const before = turn && isInConversation(turn) ? turnCheckpoints(view, turn).before : undefined;
    if (before !== undefined) return before;
  }
  return undefined;
}

/**
 * The newest checkpoint that worked, if the current revision does not; undefined during a turn, or if there is none.
 */
function lastWorkingCheckpoint(view: ProjectView): BestRevision | undefined {
  if (isRunning(view) || verdictOf(view)?.verdict !== "failed") return undefined;
  return view.checkpoints.findLast(
    ({ revision, thinned }) =>
      !thinned && revision !== view.revision && isSound(verdictOn(view, revision)?.verdict),
  );
}

/** A revision that is better than the current one, with its checkpoint. */
export type BestRevision = { checkpoint: string; revision: string };

/**
 * The best revision to restore: the turn's own best, or one from before it, because a turn that starts on a broken
 * revision may not reach anything better. Undefined if there is none.
 */
export const bestRevision = (view: ProjectView, { best }: RunEnd): BestRevision | undefined =>
  best ?? lastWorkingCheckpoint(view);

/** Tokens and cost of all runs, including the active one. */
export function totalUsage(view: ProjectView): { tokens: number; costUsd?: number } {
  const { inputTokens, outputTokens, costUsd } = addUsage(view.usage, view.runUsage);
  return { tokens: inputTokens + outputTokens, costUsd };
}

/**
 * Why a turn's good verdict no longer holds: a later look at its final files failed, whether or not the files are
 * current. Undefined if the verdict holds, or during a look.
 */
export function whyRevoked(view: ProjectView, end: RunEnd): string | undefined {
  if (!isSound(end.verdict) || view.look) return undefined;
  const now = verdictOn(view, end.revision);
  return now?.verdict === "failed" ? now.reason : undefined;
}

/**
 * The current evidence for the final files of a turn that worked and still works. The person may have confirmed items,
 * or another look may have found more. Undefined for any other turn, and during a look.
 */
export function currentEvidence(view: ProjectView, end: RunEnd): Evidence | undefined {
  if (!isSound(end.verdict) || view.look) return undefined;
  const evidence = view.known.get(end.revision)?.evidence;
  return evidence && isSound(judge(evidence).verdict) ? evidence : undefined;
}

/**
 * The evidence of a later look at a turn's final files, after a host was allowed or the person approved changed checks.
 * Undefined if there was none, or during a look.
 */
export function laterEvidence(view: ProjectView, end: RunEnd): Evidence | undefined {
  if (end.outcome !== "done" || end.verdict === undefined || view.look) return undefined;
  const known = view.known.get(end.revision);
  const isOther = verdictOn(view, end.revision)?.verdict !== end.verdict;
  // A requested look replaces the turn's own verdict.
  return known?.end === undefined || (isOther && !isSound(end.verdict))
    ? known?.evidence
    : undefined;
}

/** Finds a call by its id in any turn; undefined if there is none. */
export function callOf(view: ProjectView, call: string): CallItem | undefined {
  for (const turn of view.turns.toReversed()) {
    const item = turn.items[indexOfCall(turn, call)];
    if (item?.kind === "call") return item;
  }
  return undefined;
}
