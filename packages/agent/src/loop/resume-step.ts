import { isToolUIPart, type UIMessage } from "ai";
import { interrupt, type Call } from "../calls/call.ts";
import { createArgumentStream } from "../calls/argument-stream.ts";
import { createCoalescer } from "../async/coalesce.ts";
import { runCall } from "../calls/run-call.ts";
import type { Run } from "./state.ts";
import { callPart, createStepRecord, type Part, type StepRecord } from "../answer/step-record.ts";
import { endStep } from "./take-step.ts";
import type { Resume } from "../calls/types.ts";

/**
 * Goes on with the step in which the run waited: runs the call that was asked about and those after it, in order, until
 * all have results or the next one waits. The reply has the results in place of what stood there.
 * Rejects when the run is aborted; every call then has its result all the same.
 */
export async function resumeStep(run: Run, { state }: Resume): Promise<StepRecord> {
  const record = createStepRecord(run.steps);
  record.finish = "tool-calls";
  record.committed = true;
  record.usage = state.stepUsage;
  const start = run.reply.parts.findLastIndex(({ type }) => type === "step-start");
  const places = new Map<Call, number>();
  run.reply.parts.forEach((part, index) => {
    if (index <= start || !isToolUIPart(part)) return;
    const call = callOf(run, part, state.calls);
    if (!call) return;
    record.calls.push(call);
    if (!call.outcome) places.set(call, index);
  });
  for (const call of places.keys()) {
    if (run.waitsFor) break;
    if (run.signal.aborted) interrupt(run, call, "the run was ended while it waited for an answer");
    else await runCall(run, call);
  }
  for (const [call, index] of places) if (call.outcome) run.reply.parts[index] = callPart(call);
  if (run.signal.aborted) {
    endStep(run, "aborted", record);
    run.signal.throwIfAborted();
  }
  if (!run.waitsFor) endStep(run, "tool-calls", record);
  return record;
}

/** A call as its message kept it. */
function callOf(run: Run, part: Part, known: Resume["state"]["calls"]): Call | undefined {
  if (!isToolUIPart(part)) return undefined;
  const found = known.find(({ toolCallId }) => toolCallId === part.toolCallId);
  if (!found) return undefined;
  const call: Call = {
    id: found.call,
    toolCallId: part.toolCallId,
    tool: part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length),
    arguments: createArgumentStream(found.call, run, createCoalescer(run.ports.clock)),
    input: (part.input ?? {}) as Record<string, unknown>,
    ...(found.invalid === undefined ? {} : { invalid: found.invalid }),
  };
  if ("callProviderMetadata" in part && part.callProviderMetadata !== undefined)
    call.metadata = part.callProviderMetadata;
  if (part.state === "output-available")
    call.outcome = { status: "ok", title: "", result: String(part.output) };
  else if (part.state !== "input-available") {
    const result = "errorText" in part ? String(part.errorText) : "";
    call.outcome = { status: "error", title: "", result };
  }
  return call;
}

/** The conversation of a run that goes on: its own reply is the last message, and still to be changed. */
export function takeReply(
  history: UIMessage[],
  reply: string,
): { before: UIMessage[]; reply: UIMessage } | undefined {
  const index = history.findLastIndex(({ id }) => id === reply);
  const found = history[index];
  return found ? { before: history.slice(0, index), reply: structuredClone(found) } : undefined;
}
