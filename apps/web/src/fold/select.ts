import type { Evidence } from "@treadle/protocol";
import { isSound, judge } from "@treadle/protocol/evidence";
import { holdsWholeFile } from "@treadle/protocol/tools";
import { addUsage, verdictOf, verdictOn, isRunning } from "@treadle/protocol/fold";
import { isTold } from "./folded-turns.ts";
import { indexOfCall } from "./draft.ts";
import type { CallItem, ProjectView, RunEnd, Turn } from "./types.ts";

export function openTurn(view: ProjectView): Turn | undefined {
  return view.open === undefined ? undefined : view.turns[view.open];
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

/** Whether the list of work is over: all of it is done, and the conversation has gone on since. */
export function isTodoOver({ todo = [], todoTurn, turns }: ProjectView): boolean {
  if (todo.some(({ status }) => status !== "done")) return false;
  return turns.findLast((turn) => !turn.queued)?.message !== todoTurn;
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

/** The checkpoint before the last turn that changed anything. */
export function lastTurnStart(view: ProjectView): string | undefined {
  const isInConversation = isTold(view);
  for (let index = view.turns.length - 1; index >= 0; index -= 1) {
    const turn = view.turns[index];
    const before = turn && isInConversation(turn) ? turnCheckpoints(view, turn).before : undefined;
    if (before !== undefined) return before;
  }
  return undefined;
}

/**
 * The newest checkpoint that was seen to work, where what stands was seen not to; nothing while a turn goes on, or where
 * there is none.
 */
function lastSound(view: ProjectView): BestRevision | undefined {
  if (isRunning(view) || verdictOf(view)?.verdict !== "failed") return undefined;
  return view.checkpoints.findLast(
    ({ revision, thinned }) =>
      !thinned && revision !== view.revision && isSound(verdictOn(view, revision)?.verdict),
  );
}

/** A revision that is better than what stands, and the checkpoint that keeps it. */
export type BestRevision = { checkpoint: string; revision: string };

/**
 * The best that there is to go back to: of the turn itself, or from before it, as a turn that begins on a broken revision may
 * have reached nothing better. Undefined if there is none.
 */
export const bestKept = (view: ProjectView, { best }: RunEnd): BestRevision | undefined =>
  best ?? lastSound(view);

/** Tokens and money of all runs, the one that goes on included. */
export function totalUsage(view: ProjectView): { tokens: number; costUsd?: number } {
  const { inputTokens, outputTokens, costUsd } = addUsage(view.usage, view.runUsage);
  return { tokens: inputTokens + outputTokens, costUsd };
}

/**
 * Why a turn's word does not hold any more: something else was seen since of the files that it left, whether they stand
 * or not. A look that goes on says nothing yet.
 */
export function takenBack(view: ProjectView, end: RunEnd): string | undefined {
  if (!isSound(end.verdict) || view.look) return undefined;
  const now = verdictOn(view, end.revision);
  return now?.verdict === "failed" ? now.reason : undefined;
}

/**
 * What is known by now of the files that a turn left, if it left them working and they still are: the person may have
 * agreed to what only eyes can judge, or another look seen more.
 */
export function soundNow(view: ProjectView, end: RunEnd): Evidence | undefined {
  if (!isSound(end.verdict) || view.look) return undefined;
  const evidence = view.known.get(end.revision)?.evidence;
  return evidence && isSound(judge(evidence).verdict) ? evidence : undefined;
}

/**
 * What was seen since of the files that a turn left: a host was allowed and they were looked at again, or the person agreed to
 * checks that took the turn's word away. A look that goes on says nothing yet.
 */
export function seenSince(view: ProjectView, end: RunEnd): Evidence | undefined {
  if (end.outcome !== "done" || end.verdict === undefined || view.look) return undefined;
  const known = view.known.get(end.revision);
  const isOther = verdictOn(view, end.revision)?.verdict !== end.verdict;
  // A look that was asked for takes the place of a turn's own word.
  return known?.end === undefined || (isOther && !isSound(end.verdict))
    ? known?.evidence
    : undefined;
}

/** The call of that id, wherever it stands. */
export function callOf(view: ProjectView, call: string): CallItem | undefined {
  for (const turn of view.turns.toReversed()) {
    const item = turn.items[indexOfCall(turn, call)];
    if (item?.kind === "call") return item;
  }
  return undefined;
}
