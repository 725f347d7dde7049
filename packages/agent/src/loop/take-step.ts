import type { StepEvent } from "@treadle/protocol";
import { keepFit } from "../context/compaction/keep-fit.ts";
import type { ModelFailure } from "../models/errors/model-failure.ts";
import { prose } from "../text/prose.ts";
import { abortable } from "../async/abortable.ts";
import { createAnswer, type Answer } from "../answer/answer.ts";
import { budgetReached } from "./budget.ts";
import { interrupt } from "../calls/call.ts";
import { CONTINUATIONS } from "./limits.ts";
import { request } from "../answer/request.ts";
import { saveReply } from "./save-reply.ts";
import type { Run } from "./state.ts";
import { toParts, type StepRecord } from "../answer/step-record.ts";

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
export async function takeStep(run: Run): Promise<StepOutcome> {
  await abortable(run.ports.log.settled(), run.signal);
  startStep(run);
  const answer = createAnswer(run);
  const { record } = answer;
  let failure: ModelFailure | undefined;
  try {
    await keepFit(run);
    failure = await request(run, answer, false);
    for (let rests = 1; !failure && rests <= CONTINUATIONS; rests++) {
      if (!(await mayGoOn(run, answer))) break;
      await abortable(saveReply(run, toParts(record)), run.signal);
      endStep(run, "length", record);
      startStep(run);
      record.from = record.slots.length;
      record.saidTokens += record.usage.outputTokens;
      failure = await request(run, answer, true);
    }
  } finally {
    await settleCalls(run, answer, failure);
    run.reply.parts.push(...toParts(record));
    if (run.signal.aborted) endStep(run, "aborted", record);
    else if (!run.waitsFor) endStep(run, failure ? "error" : finishOf(record), record);
  }
  run.signal.throwIfAborted();
  return failure ? { record, failure } : { record };
}

function startStep(run: Run): void {
  run.emit({ type: "step-start", run: run.request.run, step: ++run.steps });
}

/**
 * Whether the rest of a cut answer is asked for. Not behind calls of the provider's own spelling: it wants their results
 * first, and takes none that is half.
 */
async function mayGoOn(run: Run, { record, queue }: Answer): Promise<boolean> {
  if (record.finish !== "length" || !record.grew) return false;
  if (run.dialect === "native" && record.calls.length > 0) return false;
  // One of its calls may ask the person, or end the run.
  await queue.drained();
  return !run.waitsFor && !run.fatal && !run.signal.aborted && !budgetReached(run);
}

const CUT_CALL = prose(new URL("../answer/cut-call.md", import.meta.url));
const CUT_ACTION = prose(new URL("../answer/cut-action.md", import.meta.url));

async function settleCalls(
  run: Run,
  { record, queue }: Answer,
  failure: ModelFailure | undefined,
): Promise<void> {
  const isCut = record.finish === "length";
  const why = run.signal.aborted
    ? "the run was ended before this call was complete. Nothing of it was done."
    : isCut
      ? run.dialect === "artifact"
        ? CUT_ACTION
        : CUT_CALL
      : record.finish === "stop"
        ? "its closing tag is missing, so it was not run. Nothing of it was done. Write it again and close it."
        : "your answer broke off before this call could be run. Nothing of it was done.";
  // A call of a stream that ended without a reason is not run, even if it looks complete.
  if (failure || run.signal.aborted) for (const call of queue.drop()) interrupt(run, call, why);
  await queue.drained();
  // Nor is the person asked about one.
  if (failure || run.signal.aborted) run.waitsFor = undefined;
  // While the person is asked, only what is whole may wait.
  for (const call of record.calls)
    if (!call.outcome && !(run.waitsFor && call.input)) interrupt(run, call, why);
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
