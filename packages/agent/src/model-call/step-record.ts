import type { ContextUse, Usage } from "@treadle/protocol";
import type { FinishReason, ProviderMetadata } from "ai";
import type { MessagePart } from "../context/conversation/note-message.ts";
import { findTool } from "../tools/all-tools.ts";
import { pictureMetadata } from "../context/conversation/page-pictures.ts";
import type { ToolCall } from "../calls/tool-call.ts";
import { noUsage } from "../budget/budget.ts";

/** What one answer of the model held, in the order in which it began. */
export interface StepRecord {
  readonly step: number;
  readonly slots: Slot[];
  readonly calls: ToolCall[];
  /** Number of slots from earlier requests that the output limit cut and the present one continues. */
  from: number;
  /** Tokens of those requests' answers. */
  saidTokens: number;
  /** Of the last request, as all below. Absent where the stream ended without saying why. */
  finish?: FinishReason | undefined;
  usage: Usage;
  /** What the request held. */
  context?: ContextUse;
  /** Whether any of it is in the log, after which the model cannot be asked again unnoticed. */
  committed: boolean;
  /** Whether it contains text or part of a call. */
  grew: boolean;
}

export type Slot =
  | { kind: "text" | "reasoning"; id: string; pieces: string[]; metadata?: ProviderMetadata }
  | { kind: "call"; call: ToolCall };

export function createStepRecord(step: number): StepRecord {
  return {
    step,
    slots: [],
    calls: [],
    from: 0,
    saidTokens: 0,
    usage: noUsage(),
    committed: false,
    grew: false,
  };
}

/** The words of an answer. */
export const textOf = (slots: readonly Slot[]): string =>
  slots.map((slot) => (slot.kind === "text" ? slot.pieces.join("") : "")).join("\n");

/** Prepares it for a request, or for repeating the same one of which nothing was logged. */
export function readyForRequest(record: StepRecord): void {
  record.slots.length = record.from;
  record.finish = undefined;
  record.usage = noUsage();
  record.committed = record.grew = false;
}

/** The answer as parts of a message at rest. Every call has its result by now, except where the run waits for the person. */
export function toParts(record: StepRecord): MessagePart[] {
  const parts: MessagePart[] = [];
  for (const slot of record.slots) {
    if (slot.kind === "call") {
      parts.push(callPart(slot.call));
      continue;
    }
    const text = slot.pieces.join("");
    const metadata = slot.metadata === undefined ? {} : { providerMetadata: slot.metadata };
    if (slot.kind === "text") {
      if (text.trim() !== "") parts.push({ type: "text", text, state: "done", ...metadata });
    } else if (text !== "" || slot.metadata !== undefined)
      parts.push({ type: "reasoning", text, state: "done", ...metadata });
  }
  return parts.length > 0 ? [{ type: "step-start" }, ...parts] : [];
}

/** A call at rest. One that has no result yet waits for the person. */
export function callPart(call: ToolCall): MessagePart {
  // Providers accept only an object, whatever the model wrote.
  const input = call.input ?? call.arguments.known();
  const { picture } = call.outcome ?? {};
  const metadata = picture ? { ...call.metadata, ...pictureMetadata(picture) } : call.metadata;
  const common = {
    toolCallId: call.toolCallId,
    input,
    callProviderMetadata: metadata,
  };
  const { status, result } = call.outcome ?? {};
  const state =
    result === undefined
      ? { state: "input-available" as const }
      : status === "ok"
        ? { state: "output-available" as const, output: result }
        : { state: "output-error" as const, errorText: result };
  return findTool(call.tool)
    ? { type: `tool-${call.tool}`, ...common, ...state }
    : { type: "dynamic-tool", toolName: call.tool, ...common, ...state };
}
