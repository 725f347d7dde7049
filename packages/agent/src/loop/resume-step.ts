import type { SuspendedRun } from "@treadle/protocol";
import { isToolUIPart, type UIMessage } from "ai";
import { callPart, createStepRecord, type StepRecord } from "../model-call/step-record.ts";
import { createCoalescer } from "../async/coalesce.ts";
import { createArgumentStream } from "../calls/argument-stream.ts";
import { interrupt, type ToolCall } from "../calls/tool-call.ts";
import { runCall } from "../calls/run-call.ts";
import type { MessagePart } from "../context/conversation/note-message.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { Run } from "./run.ts";
import { endStep } from "./take-step.ts";

/**
 * Continues the step in which the run waited: runs the call that was asked about and those after
 * it, in order, until all have results or another one waits. The results replace the placeholders
 * in the reply. When the run is aborted it rejects, after every call has been given a result.
 */
export async function resumeStep(
  state: SuspendedRun,
  { budget, conversation: { reply }, runner }: Pick<Run, "budget" | "conversation" | "runner">,
  scope: RunScope,
): Promise<StepRecord> {
  const { calls } = runner;
  const { signal } = scope;
  const record = createStepRecord(budget.steps);
  record.finish = "tool-calls";
  record.committed = true;
  record.usage = state.stepUsage;
  const start = reply.parts.findLastIndex(({ type }) => type === "step-start");
  const places = new Map<ToolCall, number>();
  reply.parts.forEach((part, index) => {
    if (index <= start || !isToolUIPart(part)) return;
    const call = callOf(part, state.calls, scope);
    if (!call) return;
    record.calls.push(call);
    if (!call.outcome) places.set(call, index);
  });
  for (const call of places.keys()) {
    if (calls.waitsFor || signal.aborted) break;
    await runCall(call, runner, scope);
  }
  if (signal.aborted)
    for (const call of places.keys())
      interrupt(calls, call, "the run was ended while it waited for an answer", scope);
  for (const [call, index] of places) if (call.outcome) reply.parts[index] = callPart(call);
  if (signal.aborted) {
    endStep(budget, "aborted", record, scope);
    signal.throwIfAborted();
  }
  if (!calls.waitsFor) endStep(budget, "tool-calls", record, scope);
  return record;
}

/** Restores a call from its saved message. */
function callOf(
  part: MessagePart,
  known: SuspendedRun["calls"],
  { emit, clock }: RunScope,
): ToolCall | undefined {
  if (!isToolUIPart(part)) return undefined;
  const found = known.find(({ toolCallId }) => toolCallId === part.toolCallId);
  if (!found) return undefined;
  const call: ToolCall = {
    id: found.call,
    toolCallId: part.toolCallId,
    tool: part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length),
    arguments: createArgumentStream(found.call, emit, createCoalescer(clock)),
    input: (part.input ?? {}) as Record<string, unknown>,
    invalid: found.invalid,
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

/**
 * Restores the conversation of a resumed run: its own reply is the last message and still changes.
 */
export function takeReply(
  history: UIMessage[],
  reply: string,
): { before: UIMessage[]; reply: UIMessage } | undefined {
  const index = history.findLastIndex(({ id }) => id === reply);
  const found = history[index];
  return found ? { before: history.slice(0, index), reply: structuredClone(found) } : undefined;
}
