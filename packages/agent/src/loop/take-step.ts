import type { ModelRequest } from "../model-call/model-request.ts";
import { createResponse, type ModelResponse } from "../model-call/read-stream.ts";
import { askWithRetries } from "../model-call/ask-with-retries.ts";
import { toParts, type StepRecord } from "../model-call/step-record.ts";
import { abortable } from "../async/waiting.ts";
import { budgetReached, type RunBudget, noUsage } from "../budget/budget.ts";
import { interrupt } from "../calls/tool-call.ts";
import { runCall, type CallRunner } from "../calls/run-call.ts";
import type { CallsSoFar } from "../calls/calls-so-far.ts";
import { keepFit } from "../context/compaction/keep-fit.ts";
import { saveReply } from "../context/conversation/conversation.ts";
import type { ModelFailure } from "../models/errors/model-failure.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { CONTINUATIONS } from "./limits.ts";
import type { Run } from "./run.ts";
import type { StepEvent, DialectName } from "@treadle/protocol";
import type { FinishReason } from "ai";
import { prose } from "../text/prose.ts";

export interface StepOutcome {
  record: StepRecord;
  /** Why the model's answer is incomplete. */
  failure?: ModelFailure;
}

/**
 * Requests one answer of the model and runs its calls. An answer that the output limit cuts off is continued, each time in a
 * separate step. When this resolves, every call has a result and the reply contains all parts.
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
  const answer = createResponse(budget.steps, (call) => runCall(call, runner, scope), reads, scope);
  const { record } = answer;
  let failure: ModelFailure | undefined;
  try {
    await keepFit(asking.fit, scope);
    failure = await askWithRetries(asking, answer, false, scope);
    for (let rests = 1; !failure && rests <= CONTINUATIONS; rests++) {
      if (!(await mayGoOn(answer, asking, calls, scope))) break;
      await abortable(saveReply(conversation, save, toParts(record)), signal);
      endStep(budget, "length", record, scope);
      startStep(budget, scope);
      record.from = record.slots.length;
      record.saidTokens += record.usage.outputTokens;
      failure = await askWithRetries(asking, answer, true, scope);
    }
  } finally {
    // If Treadle itself ended the answer, its complete calls still run.
    const isCut = failure !== undefined && failure.code !== "output-limit";
    await settleCalls(answer, asking, runner, isCut, scope);
    conversation.reply.parts.push(...toParts(record));
    if (signal.aborted) endStep(budget, "aborted", record, scope);
    else if (!calls.waitsFor) endStep(budget, failure ? "error" : finishOf(record), record, scope);
  }
  signal.throwIfAborted();
  return failure ? { record, failure } : { record };
}

/**
 * Whether to request the rest of a cut answer. Not after native tool calls: the provider requires their results first and
 * rejects incomplete ones.
 */
async function mayGoOn(
  { record, queue }: ModelResponse,
  { model, fit }: ModelRequest,
  calls: CallsSoFar,
  { signal, clock }: RunScope,
): Promise<boolean> {
  if (record.finish !== "length" || !record.grew) return false;
  if (model.dialect === "native" && record.calls.length > 0) return false;
  // One of its calls may ask the person or end the run.
  await queue.drained();
  const isOver = calls.waitsFor || calls.fatal || signal.aborted;
  return !isOver && !budgetReached(fit.budget, clock.now());
}

/** Gives every call of a finished answer its result. */
async function settleCalls(
  { record, queue }: ModelResponse,
  { model }: ModelRequest,
  { calls }: CallRunner,
  failed: boolean,
  scope: RunScope,
): Promise<void> {
  const { aborted } = scope.signal;
  const why = whyNotRun(record.finish, model.dialect, aborted);
  // Complete calls of an interrupted answer are run, and the model continues after them.
  if (aborted) for (const call of queue.drop()) interrupt(calls, call, why, scope);
  await queue.drained();
  // The person is not asked about a call of a failed answer either.
  if (failed || scope.signal.aborted) calls.waitsFor = undefined;
  // While a question is open, only complete calls may wait.
  for (const call of record.calls)
    if (!call.outcome && !(calls.waitsFor && call.input)) interrupt(calls, call, why, scope);
}

type Finish = (StepEvent & { type: "step-end" })["finish"];

/** Emits the start of a step and counts it. */
export function startStep(budget: RunBudget, { run, emit }: RunScope): void {
  emit({ type: "step-start", run, step: ++budget.steps });
}

/** Emits the end of the current step. */
export function endStep(
  { steps }: RunBudget,
  finish: Finish,
  { usage = noUsage(), context }: Partial<StepRecord>,
  { run, emit }: RunScope,
): void {
  emit({
    type: "step-end",
    run,
    step: steps,
    finish,
    usage,
    context,
  });
}

/** How a step with a complete answer ended. */
function finishOf({ finish, calls }: StepRecord): Finish {
  if (finish === "length") return "length";
  if (finish === "content-filter") return "filter";
  if (finish === "error") return "error";
  return calls.length > 0 ? "tool-calls" : "stop";
}

const CUT_CALL = prose(new URL("./cut-call.md", import.meta.url));
const CUT_ACTION = prose(new URL("./cut-action.md", import.meta.url));
const UNCLOSED = prose(new URL("./unclosed-call.md", import.meta.url));
const BROKEN_OFF = prose(new URL("./broken-off-call.md", import.meta.url));
const ABORTED = "the run was ended before this call was complete. Nothing of it was done.";

/** The result text for a call that was incomplete when its answer ended. */
function whyNotRun(
  finish: FinishReason | undefined,
  dialect: DialectName,
  aborted: boolean,
): string {
  if (aborted) return ABORTED;
  if (finish === "length") return dialect === "artifact" ? CUT_ACTION : CUT_CALL;
  return finish === "stop" ? UNCLOSED : BROKEN_OFF;
}
