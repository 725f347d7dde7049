import type { ProviderMetadata, TextStreamPart, ToolSet } from "ai";
import { createShownWords, type ShownWords } from "@treadle/dialects/meant";
import { createCoalescer } from "../async/coalesce.ts";
import { usageOf } from "../budget/budget.ts";
import { openCall, tellInput, type ToolCall } from "../calls/tool-call.ts";
import { type CallQueue, createCallQueue } from "../calls/call-queue.ts";
import type { CallsSoFar } from "../calls/calls-so-far.ts";
import { cleanValue } from "../text/json-value.ts";
import type { Model } from "../ports/model.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { isRecord } from "../text/is-record.ts";
import type { Tool } from "../tools/tool.ts";
import { describeInvalid } from "../calls/describe-invalid-call.ts";
import { type Slot, type StepRecord, createStepRecord } from "./step-record.ts";
import { AnswerLimitError, StreamCutError } from "../models/errors/model-failure.ts";
import { ANSWER_BLOCKS, ANSWER_CALLS } from "../models/wire/limits.ts";
import { abortable } from "../async/waiting.ts";

/** The model's answer of one step while it arrives; several requests if a cut answer is continued. */
export interface ModelResponse {
  readonly record: StepRecord;
  readonly reader: StreamReader;
  /** The answer's calls; each runs as soon as it is complete and the previous ones have ended. */
  readonly queue: CallQueue<ToolCall>;
}

/** @param run runs a call; must not reject */
export function createResponse(
  step: number,
  run: (call: ToolCall) => Promise<void>,
  reads: StreamReads,
  scope: RunScope,
): ModelResponse {
  const record = createStepRecord(step);
  const queue = createCallQueue(run);
  return { record, queue, reader: createStreamReader(record, queue, reads, scope) };
}

/** Reads the stream of a request into an answer. Several streams may be read one after the other to continue the answer. */
export interface StreamReader {
  read(part: TextStreamPart<ToolSet>): void;
  /** Writes held-back text to the log. */
  flush(): void;
}

/** What a stream reader needs in addition to the stream. */
export interface StreamReads {
  readonly calls: CallsSoFar;
  readonly foreign: readonly Tool[];
  /** The price of the model's tokens. */
  readonly price: Model["price"];
}

export function createStreamReader(
  record: StepRecord,
  queue: Pick<CallQueue<ToolCall>, "add">,
  { calls, foreign, price }: StreamReads,
  scope: RunScope,
): StreamReader {
  const { run, clock, emit } = scope;
  const coalescer = createCoalescer(clock);
  const open = new Map<string, ToolCall>();
  const texts = new Map<string, Slot & { kind: "text" | "reasoning" }>();
  const groups = new Set<string>();
  /** The text as the person reads it, by the id of the part. */
  const words = new Map<string, ShownWords>();

  const tellWords = (kind: "text" | "reasoning", id: string, text: string) => {
    if (text !== "")
      coalescer.push(id, text, (joined) => emit({ type: kind, run, id, text: joined }));
  };
  /** Writes the held-back ends of finished texts to the log. */
  const endWords = () => {
    for (const [id, shown] of words) tellWords("text", id, shown.end());
    words.clear();
  };

  const begin = (kind: "text" | "reasoning", id: string) => {
    const before = kind === "text" ? cutText(record) : undefined;
    const logId = before?.id ?? `${run}.${record.step}.${record.slots.length}`;
    const slot = { kind, id: logId, pieces: [] as string[] };
    // Reasoning in between belongs before the text that follows it.
    const isSame = before !== undefined && before === record.slots.at(-1);
    if (!isSame) record.slots.push(slot);
    texts.set(`${kind} ${id}`, isSame ? before : slot);
    return isSame ? before : slot;
  };
  const text = (kind: "text" | "reasoning", id: string, piece: string) => {
    const slot = texts.get(`${kind} ${id}`) ?? begin(kind, id);
    slot.pieces.push(piece);
    if (piece !== "") record.committed = true;
    if (piece !== "" && kind === "text") record.grew = true;
    if (kind === "reasoning") return tellWords(kind, slot.id, piece);
    const shown = words.get(slot.id) ?? createShownWords();
    words.set(slot.id, shown);
    tellWords(kind, slot.id, shown.write(piece));
  };
  const keepMetadata = (
    kind: "text" | "reasoning",
    id: string,
    metadata: ProviderMetadata | undefined,
  ) => {
    const slot = texts.get(`${kind} ${id}`);
    // A continued text keeps the metadata of its beginning.
    if (slot && metadata !== undefined && record.slots.indexOf(slot) >= record.from)
      slot.metadata = metadata;
  };
  const begun = (toolCallId: string, tool: string, metadata?: ProviderMetadata) => {
    const call = openCall(calls, toolCallId, tool, coalescer, scope);
    // The group of the call, in case the call is never completed.
    if (metadata?.["treadle"]) call.metadata = metadata;
    record.committed = record.grew = true;
    record.slots.push({ kind: "call", call });
    record.calls.push(call);
    open.set(toolCallId, call);
    return call;
  };

  /** Emits the start of a group of calls, which some dialects mark at its first call. */
  const tellGroup = (metadata: ProviderMetadata | undefined) => {
    const { group, title } = metadata?.["treadle"] ?? {};
    if (typeof group !== "string" || groups.has(group)) return;
    groups.add(group);
    coalescer.flush();
    emit({
      type: "group",
      run,
      id: `${run}.${record.step}.${group}`,
      title: typeof title === "string" ? title : "",
    });
  };

  return {
    flush() {
      endWords();
      coalescer.flush();
    },
    read(part: TextStreamPart<ToolSet>): void {
      switch (part.type) {
        case "text-start":
        case "reasoning-start": {
          const kind = part.type === "text-start" ? "text" : "reasoning";
          begin(kind, part.id);
          return keepMetadata(kind, part.id, part.providerMetadata);
        }
        case "text-delta":
        case "reasoning-delta": {
          const kind = part.type === "text-delta" ? "text" : "reasoning";
          text(kind, part.id, part.text);
          return keepMetadata(kind, part.id, part.providerMetadata);
        }
        case "text-end":
        case "reasoning-end":
          if (part.type === "text-end") endWords();
          return keepMetadata(
            part.type === "text-end" ? "text" : "reasoning",
            part.id,
            part.providerMetadata,
          );
        case "tool-input-start": {
          // The call is written again from its beginning.
          if (open.has(part.id)) return open.get(part.id)?.arguments.restart();
          tellGroup(part.providerMetadata);
          begun(part.id, part.toolName, part.providerMetadata);
          return;
        }
        case "tool-input-delta":
          record.committed = record.grew = true;
          return open.get(part.id)?.arguments.write(part.delta);
        case "tool-call": {
          const known = open.get(part.toolCallId);
          const call = known ?? begun(part.toolCallId, part.toolName);
          if (!known) call.arguments.write(JSON.stringify(part.input ?? {}));
          open.delete(part.toolCallId);
          call.arguments.end();
          coalescer.flush();
          complete(call, part, foreign);
          tellInput(call, scope);
          return queue.add(call);
        }
        case "finish-step":
          // Some providers send `other` if they received no reason: such an answer was cut.
          if (part.finishReason !== "other" || part.rawFinishReason !== undefined)
            record.finish = part.finishReason;
          record.usage = usageOf(part.usage, price);
          return;
        case "error":
          throw part.error;
        default:
      }
    },
  };
}

/** The text that the output limit cut off, unless it was continued already. */
function cutText({ slots, from }: StepRecord): (Slot & { kind: "text" | "reasoning" }) | undefined {
  const cut = slots[from - 1];
  if (cut?.kind !== "text" || slots.slice(from).some(({ kind }) => kind !== "reasoning"))
    return undefined;
  return cut;
}

/** Records the final arguments of a call, and whether it can be run. */
function complete(
  call: ToolCall,
  part: TextStreamPart<ToolSet> & { type: "tool-call" },
  foreign: readonly Tool[],
): void {
  const input: unknown = part.input;
  call.input = isRecord(input) ? cleanValue(input) : {};
  if (part.providerMetadata !== undefined) call.metadata = part.providerMetadata;
  const { refused, note, endGuessed } = part.providerMetadata?.["treadle"] ?? {};
  if (endGuessed === true) call.endGuessed = true;
  if (typeof note === "string") call.note = note;
  if (typeof refused === "string") call.invalid = call.refused = `Nothing was done: ${refused}`;
  else if (part.invalid) call.invalid = describeInvalid(part.toolName, part.error, foreign);
}

/** Throws if an answer exceeds the limit of calls, or of blocks of text and reasoning. */
function countParts(): (part: TextStreamPart<ToolSet>) => void {
  const begun = new Set<string>();
  let blocks = 0;
  return (part) => {
    if (part.type === "text-start" || part.type === "reasoning-start") blocks++;
    if (part.type === "tool-input-start") begun.add(part.id);
    if (part.type === "tool-call") begun.add(part.toolCallId);
    if (blocks > ANSWER_BLOCKS) throw new AnswerLimitError(ANSWER_BLOCKS, "blocks");
    if (begun.size > ANSWER_CALLS) throw new AnswerLimitError(ANSWER_CALLS, "calls");
  };
}

/** How much is read before the log must be on disk. */
const UNWRITTEN_CHARS = 512 * 1024;
const UNWRITTEN_PARTS = 2_000;

/** Thrown if the log cannot be written, which makes reading on useless. `cause` is the store's error. */
export class LogUnwrittenError extends Error {
  constructor(cause: unknown) {
    super("The log cannot be written.", { cause });
    this.name = "LogUnwrittenError";
  }
}

/**
 * Reads one request's stream, logs it, and queues each complete call. Pauses while more than `UNWRITTEN_CHARS` of what
 * it has read is not on disk yet, so that a fast model cannot fill the memory. Resolves when the stream has ended with
 * a reason; rejects with the error that broke it, the signal's reason, an `AnswerLimitError` or a `LogUnwrittenError`.
 * In both cases `record` has what arrived, and incomplete calls have no input.
 */
export async function readStream(
  stream: ReadableStream<TextStreamPart<ToolSet>>,
  { record, reader }: Pick<ModelResponse, "record" | "reader">,
  options: { signal: AbortSignal; onPart: () => void; settled: () => Promise<void> },
): Promise<void> {
  const unwritten = { chars: 0, parts: 0 };
  const count = countParts();
  const written = async () => {
    reader.flush();
    const settled = options.settled().catch((error: unknown) => {
      throw new LogUnwrittenError(error);
    });
    await abortable(settled, options.signal);
    unwritten.chars = unwritten.parts = 0;
  };
  const source = stream.getReader();
  // A cancelled stream ends at once, even one whose provider does not listen to the signal.
  const onAbort = () => void source.cancel().catch(() => {});
  options.signal.addEventListener("abort", onAbort, { once: true });
  try {
    options.signal.throwIfAborted();
    for (;;) {
      const { done, value } = await source.read();
      options.signal.throwIfAborted();
      if (done) break;
      options.onPart();
      count(value);
      reader.read(value);
      if ("text" in value) unwritten.chars += value.text.length;
      if ("delta" in value) unwritten.chars += value.delta.length;
      const isMuch = unwritten.chars > UNWRITTEN_CHARS || ++unwritten.parts > UNWRITTEN_PARTS;
      if (isMuch) await written();
    }
    if (record.finish === undefined || record.finish === "interrupted") throw new StreamCutError();
  } finally {
    options.signal.removeEventListener("abort", onAbort);
    reader.flush();
    onAbort();
  }
}
