import type { ProviderMetadata } from "ai";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { createArgumentStream, type ArgumentStream } from "./argument-stream.ts";
import type { Coalescer } from "../async/coalesce.ts";
import { noteFault } from "./faults.ts";
import { INPUT_LIMIT, RESULT_LIMIT } from "../loop/limits.ts";
import type { Picture } from "../types.ts";
import type { Run } from "../loop/state.ts";

/** One thing that the model asked for, from its first character to its result. */
export interface Call {
  /** Unique in the project; the provider's own id need not be. */
  readonly id: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly arguments: ArgumentStream;
  /** Complete arguments; absent while they stream. */
  input?: Record<string, unknown>;
  /** Why it cannot be run: unknown tool, malformed arguments. */
  invalid?: string;
  /** Why its dialect refuses it. */
  refused?: string;
  /** What its dialect has to tell the model beside its result. */
  note?: string;
  /** What the provider wants back with the call. */
  metadata?: ProviderMetadata;
  startedAt?: number;
  outcome?: CallOutcome;
}

export interface CallOutcome {
  status: "ok" | "error" | "denied" | "interrupted";
  title: string;
  result: string;
  picture?: Picture;
}

export function openCall(run: Run, toolCallId: string, tool: string, coalescer: Coalescer): Call {
  const id = `${run.request.run}.${++run.calls}`;
  coalescer.flush();
  run.emit({ type: "call-open", run: run.request.run, call: id, tool });
  return { id, toolCallId, tool, arguments: createArgumentStream(id, run, coalescer) };
}

/** The arguments are complete, or as complete as they will be. */
export function tellInput(run: Run, call: Call): void {
  run.emit({ type: "call-input", call: call.id, input: clipInput(call.input ?? {}) });
}

/** Gives the call its one result. A second one is ignored. */
export function endCall(run: Run, call: Call, outcome: CallOutcome): void {
  if (call.outcome) return;
  call.outcome = outcome;
  noteFault(run, call, outcome);
  run.emit({
    type: "call-end",
    call: call.id,
    status: outcome.status,
    title: clipLine(outcome.title, 200),
    result: clipMiddle(outcome.result, RESULT_LIMIT - 100),
    ...(outcome.picture ? { picture: outcome.picture } : {}),
    ms: call.startedAt === undefined ? 0 : Math.max(0, run.ports.clock.now() - call.startedAt),
  });
}

export function interrupt(run: Run, call: Call, why: string): void {
  const path = call.input?.["path"] ?? call.arguments.known()["path"];
  endCall(run, call, {
    status: "interrupted",
    title:
      typeof path === "string" ? `Interrupted: ${call.tool} ${path}` : `Interrupted: ${call.tool}`,
    result: `interrupted: ${why}`,
  });
}

function clipInput(input: Record<string, unknown>): Record<string, unknown> {
  const clip = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.length > INPUT_LIMIT ? `${value.slice(0, INPUT_LIMIT)}…` : value;
    if (Array.isArray(value)) return value.slice(0, 100).map(clip);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, clip(entry)]));
    return value;
  };
  return clip(input) as Record<string, unknown>;
}
