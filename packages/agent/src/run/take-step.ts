import type { StepEvent } from "@treadle/protocol";
import { contextUse } from "../context/context-use.ts";
import { answerOverflow, keepFit } from "../context/keep-fit.ts";
import { classifyError } from "../errors/classify.ts";
import { StalledError, type ModelFailure } from "../errors/model-failure.ts";
import { retryDelay } from "../errors/retry-delay.ts";
import { forgoPictures, picturesRefused } from "../habits/forgo-pictures.ts";
import { refusesTools, speakArtifacts } from "../habits/speak-artifacts.ts";
import { abortable } from "./abortable.ts";
import { askModel } from "./ask-model.ts";
import { interrupt, type Call } from "./call.ts";
import { createCallQueue } from "./call-queue.ts";
import { watchIdle } from "./idle-watch.ts";
import { readAnswer } from "./read-answer.ts";
import { runCall } from "./run-call.ts";
import type { Run } from "./state.ts";
import { createStepRecord, toParts, type StepRecord } from "./step-record.ts";
import { addUsage } from "./usage.ts";

export interface StepOutcome {
  record: StepRecord;
  /** Why the model's answer is not whole. */
  failure?: ModelFailure;
}

/** Shorter waits than this are not worth a word. */
const TOLD_MS = 1_500;

/**
 * One model call, asked again where that can help and nothing of it has been shown, and the calls that it made.
 * Every call has a result when this resolves, and the reply has its parts. Rejects only when the run is aborted.
 */
export async function takeStep(run: Run): Promise<StepOutcome> {
  const { log, random = Math.random, model } = run.ports;
  await abortable(log.settled(), run.signal);
  const step = ++run.steps;
  run.emit({ type: "step-start", run: run.request.run, step });
  await keepFit(run);
  for (let tries = 1; ; tries++) {
    const record = createStepRecord(step);
    record.context = contextUse(run);
    const outcome = await tryOnce(run, record);
    const { failure } = outcome;
    if (failure && refusesTemperature(run, failure, record)) {
      run.sendsTemperature = false;
      continue;
    }
    if (failure && !record.committed && refusesTools(run, failure)) {
      speakArtifacts(run);
      continue;
    }
    if (failure && !record.committed && picturesRefused(failure, record)) {
      forgoPictures(run);
      continue;
    }
    if (failure && !record.committed && (await answerOverflow(run, failure))) continue;
    const delay =
      failure && !record.committed
        ? retryDelay(failure, tries, run.limits.modelTries, random)
        : undefined;
    if (delay === undefined || !failure) {
      run.reply.parts.push(...toParts(record));
      if (!run.waitsFor) endStep(run, failure ? "error" : finishOf(record), record);
      return outcome;
    }
    await waitToRetry(run, failure, delay, model.id);
  }
}

/** A model that is not known beforehand may take no temperature: it says so, and is asked once more without. */
function refusesTemperature(
  run: Run,
  { code, message }: ModelFailure,
  record: StepRecord,
): boolean {
  return (
    run.sendsTemperature &&
    !record.committed &&
    code === "provider-refused" &&
    /temperature/i.test(message)
  );
}

async function waitToRetry(
  run: Run,
  failure: ModelFailure,
  delay: number,
  model: string,
): Promise<void> {
  const { clock } = run.ports;
  const asked = failure.retryAfterMs !== undefined;
  if (asked || delay >= TOLD_MS)
    run.emit({
      type: "waiting",
      run: run.request.run,
      reason: "retry",
      text: asked
        ? `${model} asks us to wait ${Math.ceil(delay / 1000)} s`
        : `Asking ${model} again in ${Math.ceil(delay / 1000)} s: ${failure.message}`,
      until: clock.now() + delay,
    });
  try {
    await abortable(clock.sleep(delay, run.signal), run.signal);
  } catch (error) {
    endStep(run, "aborted");
    throw error;
  }
}

async function tryOnce(run: Run, record: StepRecord): Promise<StepOutcome> {
  const queue = createCallQueue<Call>((call) => runCall(run, call));
  const attempt = new AbortController();
  const signal = AbortSignal.any([run.signal, attempt.signal]);
  const idle = watchIdle(run.ports.clock, run.limits.modelIdleMs, () =>
    attempt.abort(new StalledError(run.limits.modelIdleMs)),
  );
  let failure: ModelFailure | undefined;
  try {
    const stream = await abortable(askModel(run, signal), signal);
    await readAnswer(run, stream, record, queue, { signal, onPart: idle.touch });
  } catch (error) {
    if (!run.signal.aborted)
      failure = classifyError(
        attempt.signal.aborted ? attempt.signal.reason : error,
        run.ports.model.providerName ?? run.ports.model.id,
        record.committed,
      );
  } finally {
    idle.stop();
  }
  // Lets go of the connection; what was complete has been read.
  attempt.abort();
  await settleCalls(run, record, queue, failure);
  run.usage = addUsage(run.usage, record.usage);
  if (run.signal.aborted) {
    run.reply.parts.push(...toParts(record));
    endStep(run, "aborted", record);
    run.signal.throwIfAborted();
  }
  return failure ? { record, failure } : { record };
}

async function settleCalls(
  run: Run,
  record: StepRecord,
  queue: ReturnType<typeof createCallQueue<Call>>,
  failure: ModelFailure | undefined,
): Promise<void> {
  const why = run.signal.aborted
    ? "the run was ended before this call was complete. Nothing of it was done."
    : record.finish === "length"
      ? "your answer reached its output limit inside this call, so nothing of it was done. Make it smaller: write a long file in parts, or edit it."
      : "your answer broke off before this call could be run. Nothing of it was done.";
  // A call of a stream that ended without a reason is not run, even if it looks complete.
  if (failure || run.signal.aborted) for (const call of queue.drop()) interrupt(run, call, why);
  await queue.drained();
  // Nor is the person asked about one.
  if (failure || run.signal.aborted) run.waitsFor = undefined;
  if (run.waitsFor) return;
  for (const call of record.calls) if (!call.outcome) interrupt(run, call, why);
}

function finishOf({ finish, calls }: StepRecord): (StepEvent & { type: "step-end" })["finish"] {
  if (finish === "length") return "length";
  if (finish === "content-filter") return "filter";
  if (finish === "error") return "error";
  return calls.length > 0 ? "tool-calls" : "stop";
}

/** Tells the end of the step that goes on. */
export function endStep(
  run: Run,
  finish: (StepEvent & { type: "step-end" })["finish"],
  record?: StepRecord,
): void {
  const usage = record?.usage ?? { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  const { context } = record ?? {};
  run.emit({
    type: "step-end",
    run: run.request.run,
    step: run.steps,
    finish,
    usage,
    ...(context ? { context } : {}),
  });
}
