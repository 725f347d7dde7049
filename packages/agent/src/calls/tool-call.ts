import type { CodedText, LineCount } from "@treadle/protocol";
import type { ProviderMetadata } from "ai";
import { headOf } from "@treadle/protocol/safe-text";
import { idOfNewCall } from "../context/conversation/call-ids.ts";
import { clipLine, clipMiddle } from "../text/clip.ts";
import { createArgumentStream, type ArgumentStream } from "./argument-stream.ts";
import type { Coalescer } from "../async/coalesce.ts";
import { noteFault } from "./faults.ts";
import { INPUT_LIMIT, RESULT_LIMIT } from "./limits.ts";
import type { Picture } from "../ports/pictures.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { CallsSoFar } from "./calls-so-far.ts";

/** A tool call, from the first character that the model writes of it to its result. */
export interface ToolCall {
  /** Unique in the project. */
  readonly id: string;
  /** The id under which the model knows it: unique in the conversation, which the provider's own id need not be. */
  readonly toolCallId: string;
  readonly tool: string;
  readonly arguments: ArgumentStream;
  /** Complete arguments; absent while they stream. */
  input?: Record<string, unknown>;
  /** Why the call cannot be run: unknown tool, malformed arguments. */
  invalid?: string;
  /** Why its dialect refuses to run it. */
  refused?: string;
  /** A note of its dialect for the model, added to the result. */
  note?: string;
  /** The answer did not contain the end of the call, and its dialect guessed it. */
  endGuessed?: boolean;
  /** Metadata that the provider needs back with the call. */
  metadata?: ProviderMetadata;
  startedAt?: number;
  outcome?: CallOutcome;
}

export interface CallOutcome {
  status: "ok" | "error" | "denied" | "interrupted";
  title: string;
  /** The translatable form of `title`. */
  titleCode?: CodedText;
  result: string;
  picture?: Picture;
  lines?: LineCount | undefined;
  /** For the checks file: whether the written checks cannot pass as they are. */
  needsMending?: boolean | undefined;
}

/** Records that the model begins to write a call. @param providerId the provider's id, which other calls may share */
export function openCall(
  calls: CallsSoFar,
  providerId: string,
  tool: string,
  coalescer: Coalescer,
  { run, emit }: RunScope,
): ToolCall {
  const id = `${run}.${++calls.count}`;
  coalescer.flush();
  emit({ type: "call-open", run, call: id, tool });
  const toolCallId = idOfNewCall(providerId, calls.ids, id);
  return { id, toolCallId, tool, arguments: createArgumentStream(id, emit, coalescer) };
}

/** Emits the call's arguments, which are complete, or as complete as they will be. */
export function tellInput({ id, input = {} }: ToolCall, { emit }: RunScope): void {
  emit({ type: "call-input", call: id, input: clipInput(input) });
}

/** Maximum length of a title in the log, in characters. */
const TITLE = 200;

/** Records the call's only result. A second one is ignored. */
export function endCall(
  { faults }: Pick<CallsSoFar, "faults">,
  call: ToolCall,
  given: CallOutcome,
  { clock, emit }: RunScope,
): void {
  if (call.outcome) return;
  // The output of programs and tool servers may be malformed: a lone surrogate would make the provider reject the whole
  // conversation.
  const outcome = { ...given, result: given.result.toWellFormed() };
  call.outcome = outcome;
  noteFault(faults, call, outcome);
  emit({
    type: "call-end",
    call: call.id,
    status: outcome.status,
    title: clipLine(outcome.title, TITLE),
    // A title that is too long is shown shortened, in English only.
    titleCode: outcome.title.length <= TITLE ? outcome.titleCode : undefined,
    result: clipMiddle(outcome.result, RESULT_LIMIT - 100),
    picture: outcome.picture,
    lines: outcome.lines,
    ms: call.startedAt === undefined ? 0 : Math.max(0, clock.now() - call.startedAt),
  });
}

export function interrupt(
  calls: Pick<CallsSoFar, "faults">,
  call: ToolCall,
  why: string,
  scope: RunScope,
): void {
  const path = call.input?.["path"] ?? call.arguments.known()["path"];
  const title =
    typeof path === "string" ? `Interrupted: ${call.tool} ${path}` : `Interrupted: ${call.tool}`;
  endCall(calls, call, { status: "interrupted", title, result: `interrupted: ${why}` }, scope);
}

function clipInput(input: Record<string, unknown>): Record<string, unknown> {
  const clip = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.length > INPUT_LIMIT ? `${headOf(value, INPUT_LIMIT)}…` : value;
    if (Array.isArray(value)) return value.slice(0, 100).map(clip);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, clip(entry)]));
    return value;
  };
  return clip(input) as Record<string, unknown>;
}
