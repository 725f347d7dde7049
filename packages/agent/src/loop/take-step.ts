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
    // What was whole of an answer that we ended is carried out.
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
 * Whether the rest of a cut answer is asked for. Not behind calls of the provider's own spelling: it wants their results
 * first, and takes none that is half.
 */
async function mayGoOn(
  { record, queue }: ModelResponse,
  { model, fit }: ModelRequest,
  calls: CallsSoFar,
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
  { record, queue }: ModelResponse,
  { model }: ModelRequest,
  { calls }: CallRunner,
  failed: boolean,
  scope: RunScope,
): Promise<void> {
  const { aborted } = scope.signal;
  const why = whyNotRun(record.finish, model.dialect, aborted);
  // What was whole of an answer that broke off is carried out: the model goes on behind it.
  if (aborted) for (const call of queue.drop()) interrupt(calls, call, why, scope);
  await queue.drained();
  // Nor is the person asked about one.
  if (failed || scope.signal.aborted) calls.waitsFor = undefined;
  // While the person is asked, only what is whole may wait.
  for (const call of record.calls)
    if (!call.outcome && !(calls.waitsFor && call.input)) interrupt(calls, call, why, scope);
}

type Finish = (StepEvent & { type: "step-end" })["finish"];

/** Tells that a step begins, and counts it. */
export function startStep(budget: RunBudget, { run, emit }: RunScope): void {
  emit({ type: "step-start", run, step: ++budget.steps });
}

/** Tells the end of the step that goes on. */
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

/** How a step ended whose answer came to its end. */
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

/** What the model is told of a call that was not complete when its answer ended. */
function whyNotRun(
  finish: FinishReason | undefined,
  dialect: DialectName,
  aborted: boolean,
): string {
  if (aborted) return ABORTED;
  if (finish === "length") return dialect === "artifact" ? CUT_ACTION : CUT_CALL;
  return finish === "stop" ? UNCLOSED : BROKEN_OFF;
}
