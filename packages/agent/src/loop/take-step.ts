import type { Asking } from "../answer/asking.ts";
import { createAnswer, type ModelAnswer } from "../answer/model-answer.ts";
import { requestAnswer } from "../answer/request-answer.ts";
import { toParts, type StepRecord } from "../answer/step-record.ts";
import { abortable } from "../async/abortable.ts";
import { budgetReached } from "../budget/budget.ts";
import { interrupt } from "../calls/call.ts";
import { runCall, type CallRunner } from "../calls/run-call.ts";
import type { RunCalls } from "../calls/run-calls.ts";
import { keepFit } from "../context/compaction/keep-fit.ts";
import { saveReply } from "../context/conversation/conversation.ts";
import type { ModelFailure } from "../models/errors/model-failure.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { CONTINUATIONS } from "./limits.ts";
import type { Run } from "./run.ts";
import { endStep, finishOf, startStep } from "./step-events.ts";
import { whyNotRun } from "./why-not-run.ts";

export interface StepOutcome {
  record: StepRecord;
  /** Why the model's answer is not whole. */
  failure?: ModelFailure;
}

/**
 * One answer of the model and the calls that it made. An answer that the output limit cuts is gone on with, each time
 * in a step of its own. Every call has a result when this resolves, and the reply has its parts.
 * Rejects only when the run is aborted.
 */
export async function takeStep(
  { asking, runner, save }: Pick<Run, "asking" | "runner" | "save">,
  scope: RunScope,
): Promise<StepOutcome> {
  const { budget, conversation } = asking.fit;
  const { calls, foreign } = runner;
  const { signal } = scope;
  await abortable(scope.settled(), signal);
  startStep(budget, scope);
  const reads = { calls, foreign, price: asking.model.model.price };
  const answer = createAnswer(budget.steps, (call) => runCall(call, runner, scope), reads, scope);
  const { record } = answer;
  let failure: ModelFailure | undefined;
  try {
    await keepFit(asking.fit, scope);
    failure = await requestAnswer(asking, answer, false, scope);
    for (let rests = 1; !failure && rests <= CONTINUATIONS; rests++) {
      if (!(await mayGoOn(answer, asking, calls, scope))) break;
      await abortable(saveReply(conversation, save, toParts(record)), signal);
      endStep(budget, "length", record, scope);
      startStep(budget, scope);
      record.from = record.slots.length;
      record.saidTokens += record.usage.outputTokens;
      failure = await requestAnswer(asking, answer, true, scope);
    }
  } finally {
    await settleCalls(answer, asking, runner, failure !== undefined, scope);
    conversation.reply.parts.push(...toParts(record));
    if (signal.aborted) endStep(budget, "aborted", record, scope);
    else if (!calls.waitsFor) endStep(budget, failure ? "error" : finishOf(record), record, scope);
  }
  signal.throwIfAborted();
  return failure ? { record, failure } : { record };
}

/**
 * Whether the rest of a cut answer is asked for. Not behind calls of the provider's own spelling: it wants their results
 * first, and takes none that is half.
 */
async function mayGoOn(
  { record, queue }: ModelAnswer,
  { model, fit }: Asking,
  calls: RunCalls,
  { signal, clock }: RunScope,
): Promise<boolean> {
  if (record.finish !== "length" || !record.grew) return false;
  if (model.dialect === "native" && record.calls.length > 0) return false;
  // One of its calls may ask the person, or end the run.
  await queue.drained();
  const isOver = calls.waitsFor || calls.fatal || signal.aborted;
  return !isOver && !budgetReached(fit.budget, clock.now());
}

/** Gives every call of an answer that has ended its result. */
async function settleCalls(
  { record, queue }: ModelAnswer,
  { model }: Asking,
  { calls }: CallRunner,
  failed: boolean,
  scope: RunScope,
): Promise<void> {
  const { aborted } = scope.signal;
  const why = whyNotRun(record.finish, model.dialect, aborted);
  // A call of a stream that ended without a reason is not run, even if it looks complete.
  if (failed || aborted) for (const call of queue.drop()) interrupt(calls, call, why, scope);
  await queue.drained();
  // Nor is the person asked about one.
  if (failed || scope.signal.aborted) calls.waitsFor = undefined;
  // While the person is asked, only what is whole may wait.
  for (const call of record.calls)
    if (!call.outcome && !(calls.waitsFor && call.input)) interrupt(calls, call, why, scope);
}
