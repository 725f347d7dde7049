import type { SuspendedRun } from "@treadle/protocol";
import { callPart, type StepRecord } from "../model-call/step-record.ts";
import { abortable } from "../async/waiting.ts";
import { interrupt } from "../calls/tool-call.ts";
import { saveRepairs } from "../verdict/repairs.ts";
import { keepStep } from "./between-steps.ts";
import type { Run } from "./run.ts";
import { endStep } from "./take-step.ts";

/**
 * Saves the run and reports that it waits. If that fails, the waiting calls get a result instead.
 */
export async function waitForPerson(run: Run, record: StepRecord): Promise<void> {
  try {
    await keepStep(run, record);
    await suspend(run, record);
  } catch (error) {
    giveUpWaiting(run, record);
    throw error;
  }
}

/**
 * Logs that the run waits, with all the state that it needs to resume, also after a restart. Its
 * messages are already saved. Resolves once the event is durable; rejects when the run is aborted.
 */
async function suspend(run: Run, record: StepRecord): Promise<void> {
  const { run: id, signal, settled, emit } = run.scope;
  const question = run.calls.waitsFor;
  if (!question) return;
  const state = stateOf(run, record);
  // The step must be durable before the log says that the run can be resumed.
  await abortable(settled(), signal);
  emit({ type: "suspended", run: id, question: question.id, state });
  await abortable(settled(), signal);
}

function stateOf(
  { conversation, budget, calls, project, looks, repairs, scope }: Run,
  record: StepRecord,
): SuspendedRun {
  return {
    reply: conversation.reply.id,
    calls: record.calls.map(({ toolCallId, id, invalid }) => ({
      toolCallId,
      call: id,
      invalid,
    })),
    steps: budget.steps,
    callCount: calls.count,
    usage: budget.usage,
    stepUsage: record.usage,
    workedMs: Math.max(0, scope.clock.now() - budget.startedAt),
    seen: [...project.seen],
    touched: [...project.touched],
    failedChecks: [...looks.failedChecks],
    faults: calls.faults.size > 0 ? [...calls.faults] : undefined,
    changed: project.changed,
    commanded: project.commanded,
    served: project.served,
    ...saveRepairs(repairs),
  };
}

/**
 * Ends the run instead of waiting: each waiting call gets its result, in the log and in the reply.
 */
function giveUpWaiting({ calls, conversation, budget, scope }: Run, record: StepRecord): void {
  calls.waitsFor = undefined;
  for (const call of record.calls) {
    if (call.outcome) continue;
    interrupt(calls, call, "the run was ended while it waited for an answer", scope);
    const { parts } = conversation.reply;
    const place = parts.findLastIndex(
      (part) => "toolCallId" in part && part.toolCallId === call.toolCallId,
    );
    if (place !== -1) parts[place] = callPart(call);
  }
  endStep(budget, scope.signal.aborted ? "aborted" : "error", record, scope);
}
