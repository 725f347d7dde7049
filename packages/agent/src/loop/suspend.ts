import type { SuspendedRun } from "@treadle/protocol";
import { abortable } from "../async/abortable.ts";
import { interrupt } from "../calls/call.ts";
import type { Run } from "./state.ts";
import { callPart, type StepRecord } from "../answer/step-record.ts";
import { endStep } from "./take-step.ts";

/**
 * Says in the log that the run waits, with all that it needs to go on from there, also after a restart. Its messages are
 * saved by now. Resolves when it is durable; rejects when the run is aborted meanwhile.
 */
export async function suspend(run: Run, record: StepRecord): Promise<void> {
  const { request, ports } = run;
  const question = run.waitsFor;
  if (!question) return;
  const best = run.best.save();
  const state: SuspendedRun = {
    reply: run.reply.id,
    calls: record.calls.map(({ toolCallId, id, invalid }) => ({
      toolCallId,
      call: id,
      ...(invalid === undefined ? {} : { invalid }),
    })),
    steps: run.steps,
    callCount: run.calls,
    usage: run.usage,
    stepUsage: record.usage,
    workedMs: Math.max(0, ports.clock.now() - run.startedAt),
    seen: [...run.seen],
    touched: [...run.touched],
    failedChecks: [...run.failedChecks],
    ...(run.faults.size > 0 ? { faults: [...run.faults] } : {}),
    changed: run.changed,
    commanded: run.commanded,
    ...(run.served === undefined ? {} : { served: run.served }),
    repairs: run.repairs,
    ...(run.lastFailure === undefined ? {} : { lastFailure: run.lastFailure }),
    sameFailures: run.sameFailures,
    ...(run.tried ? { tried: run.tried } : {}),
    ...(best ? { best } : {}),
  };
  // The step as it stands is durable before it is said that it can be gone on with.
  await abortable(ports.log.settled(), run.signal);
  run.emit({ type: "suspended", run: request.run, question: question.id, state });
  await abortable(ports.log.settled(), run.signal);
}

/** The run ends instead: each call that waited has its result, in the log and in the reply. */
export function giveUpWaiting(run: Run, record: StepRecord): void {
  run.waitsFor = undefined;
  for (const call of record.calls) {
    if (call.outcome) continue;
    interrupt(run, call, "the run was ended while it waited for an answer");
    const { parts } = run.reply;
    const place = parts.findLastIndex(
      (part) => "toolCallId" in part && part.toolCallId === call.toolCallId,
    );
    if (place !== -1) parts[place] = callPart(call);
  }
  endStep(run, run.signal.aborted ? "aborted" : "error", record);
}
