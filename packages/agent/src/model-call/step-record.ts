import type { ContextUse, Usage } from "@treadle/protocol";
import type { FinishReason, ProviderMetadata } from "ai";
import type { MessagePart } from "../context/conversation/note-message.ts";
import { findTool } from "../tools/all-tools.ts";
import { pictureMetadata } from "../context/conversation/page-pictures.ts";
import type { ToolCall } from "../calls/tool-call.ts";
import { noUsage } from "../budget/budget.ts";

/** The contents of one answer of the model, in the order in which they began. */
export interface StepRecord {
  readonly step: number;
  readonly slots: Slot[];
  readonly calls: ToolCall[];
  /** Number of slots from earlier requests that the output limit cut and the present one continues. */
  from: number;
  /** Tokens of the answers to those requests. */
  saidTokens: number;
  /** The finish reason of the last request, as are all fields below. Absent if the stream ended without one. */
  finish?: FinishReason | undefined;
  usage: Usage;
  /** The estimated contents of the request. */
  context?: ContextUse;
  /** Whether any of the answer is in the log; the model cannot be asked again unnoticed then. */
  committed: boolean;
  /** Whether the answer contains text or part of a call. */
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

/** The text of an answer, without reasoning. */
export const textOf = (slots: readonly Slot[]): string =>
  slots.map((slot) => (slot.kind === "text" ? slot.pieces.join("") : "")).join("\n");

/** Prepares the record for a request, or for repeating one of which nothing was logged. */
export function readyForRequest(record: StepRecord): void {
  record.slots.length = record.from;
  record.finish = undefined;
  record.usage = noUsage();
  record.committed = record.grew = false;
}

/** The answer as parts of a saved message. Every call has its result by now, except if the run waits for the person. */
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

/** A call as part of a saved message. A call without a result waits for the person. */
export function callPart(call: ToolCall): MessagePart {
  // Providers accept only an object as the arguments, whatever the model wrote.
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
