import { sentence } from "@treadle/protocol/sentences";
import type { Usage } from "@treadle/protocol";
import { streamText, type UIMessage } from "ai";
import { abortable, deadlineAfter } from "../../async/waiting.ts";
import type { RunScope } from "../../ports/run-scope.ts";
import { putBeforeReply } from "../conversation/conversation.ts";
import { noteMessage } from "../conversation/note-message.ts";
import type { Fitting } from "./fitting.ts";
import { addUsage } from "@treadle/protocol/fold";
import { noUsage, usageOf } from "../../budget/budget.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Model } from "../../ports/model.ts";
import { standingText } from "../briefing/told-briefing.ts";
import { prose } from "../../text/prose.ts";
import { tokensOf } from "./measure.ts";
import {
  shownConversation,
  contextNote,
  type ContextNote,
  type Covered,
} from "../conversation/shown-conversation.ts";
import { doneCalls, personsWords, transcriptOf } from "./transcript.ts";

/** A provider option that marks a request for a summary, so that recordings can distinguish it from a step. */
const ASKS_TO_SUM_UP = { treadle: { sumsUp: true } } as const;

const INSTRUCTIONS = prose(new URL("./summarise.md", import.meta.url));

/** Size of the newest steps that are kept unchanged, in tokens. */
const KEPT_TOKENS = 20_000;
/** Maximum length of a summary, in tokens. */
const SUMMARY_TOKENS = 4_096;
/**
 * Maximum length of the person's quoted messages, and of the list that replaces a missing summary,
 * in characters.
 */
const WORDS = 12_000;
const LIST = 8_000;
/** How long to wait for the model's summary, in milliseconds. */
const SUMMARY_MS = 120_000;

/** The conversation to summarise and the model to use. */
export interface SummaryRequest {
  messages: readonly UIMessage[];
  /** Size limit for the newest steps, in tokens. */
  room: number;
  model: Model;
  clock: Clock;
  /** Id of the note, unique in the project. */
  id: string;
  signal: AbortSignal;
}

/**
 * A note that replaces the older part of a conversation, and its effect. Token counts are
 * estimates.
 */
export interface Summary {
  note: UIMessage;
  /** Text of the note. */
  text: string;
  before: number;
  after: number;
  usage: Usage;
}

/**
 * Summarises all but the newest steps of the run's conversation. Resolves with whether it became
 * shorter. Rejects only when the run is aborted.
 * @param room size limit for the newest steps, in tokens
 */
export async function compact(
  { conversation, model, budget }: Fitting,
  room: number,
  { run, signal, clock, emit }: RunScope,
): Promise<boolean> {
  const { messages } = conversation;
  const keptTokens = Math.min(KEPT_TOKENS, room);
  if (!whatToCover(messages, keptTokens)) return false;
  const { text: waiting, coded } = sentence("summing-up");
  emit({ type: "waiting", run, reason: "model", text: waiting, textCode: coded });
  const id = `${run}.summary-${budget.steps}`;
  const summary = await summarise({ messages, room: keptTokens, model, clock, id, signal });
  if (!summary) return false;
  const { note, text, usage, before, after } = summary;
  budget.usage = addUsage(budget.usage, usage);
  putBeforeReply(conversation, note);
  emit({ type: "compacted", run, before, after, text });
  return true;
}

/**
 * Summarises all but the newest steps of a conversation. The history itself stays; the note records
 * which part it replaces for the model. If the model gives no usable summary, a list of the calls
 * is used instead. Undefined if there is nothing to summarise. Rejects only when it is aborted.
 */
export async function summarise(request: SummaryRequest): Promise<Summary | undefined> {
  const { messages, room, id } = request;
  const covered = whatToCover(messages, room);
  if (!covered) return undefined;
  const old = shownConversation(upTo(messages, covered));
  const { summary, usage } = await sumUp(request, transcriptOf(old, room * 3));
  const text = [
    "The conversation up to here was long and is summed up.",
    `What the person said:\n${personsWords(messages, WORDS)}`,
    standingText(old),
    // A text without the expected headings is not a summary.
    isSummary(summary) ? "" : `What was done:\n${doneCalls(old, LIST)}`,
    summary,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  const note = noteMessage(id, "summary", text);
  note.metadata = { from: "treadle", kind: "summary", covered } satisfies ContextNote;
  return {
    note,
    text,
    usage,
    before: tokensOf(shownConversation(messages)),
    after: tokensOf(shownConversation([...messages, note])),
  };
}

/** Whether the text has the requested headings, or as many in another language. */
function isSummary(text: string): boolean {
  const headings =
    text.match(/^[^\p{L}\n\r\u2028\u2029]*\p{L}[\p{L}\p{M} ]{0,40}(?:[:：]|\*\*|$)/gmu) ?? [];
  return headings.length >= 3;
}

/** Selects all steps but the newest that fit into `room` tokens; undefined if no steps remain. */
function whatToCover(messages: readonly UIMessage[], room: number): Covered | undefined {
  let left = room;
  for (const message of shownConversation(messages).toReversed()) {
    // An older summary becomes part of the new one.
    if (contextNote(message)) return undefined;
    const steps = stepsOf(message);
    for (let step = steps.length; step > 0; step--) {
      left -= tokensOf([{ parts: steps[step - 1]! }]);
      if (left >= 0) continue;
      // In a message that was already cut, the remaining steps are counted from that cut.
      const full = messages.find(({ id }) => id === message.id);
      return {
        message: message.id,
        steps: (full ? stepsOf(full).length : 0) - steps.length + step,
      };
    }
  }
  return undefined;
}

/**
 * A message's parts by step. Parts before the first step, as in the person's messages, form a step
 * of their own.
 */
function stepsOf({ parts }: UIMessage): UIMessage["parts"][] {
  const steps: UIMessage["parts"][] = [];
  for (const part of parts)
    if (part.type === "step-start" || steps.length === 0) steps.push([part]);
    else steps.at(-1)!.push(part);
  return steps;
}

function upTo(messages: readonly UIMessage[], covered: Covered): UIMessage[] {
  const at = messages.findIndex(({ id }) => id === covered.message);
  const half = messages[at]!;
  // Notes about the covered part may follow it.
  const notes = messages.slice(at + 1).filter(contextNote);
  return [
    ...messages.slice(0, at),
    { ...half, parts: stepsOf(half).slice(0, covered.steps).flat() },
    ...notes,
  ];
}

async function sumUp(
  { model, clock, signal }: SummaryRequest,
  transcript: string,
): Promise<{ summary: string; usage: Usage }> {
  const deadline = deadlineAfter(clock, SUMMARY_MS);
  const ending = AbortSignal.any([signal, deadline.signal]);
  let used = noUsage();
  try {
    const { stream, usage } = streamText({
      model: model.languageModel,
      instructions: INSTRUCTIONS,
      prompt: transcript,
      maxOutputTokens: SUMMARY_TOKENS,
      maxRetries: 0,
      providerOptions: { openai: { store: false }, ...ASKS_TO_SUM_UP },
      abortSignal: ending,
      onError: () => {},
    });
    const pieces: string[] = [];
    const read = async () => {
      for await (const part of stream) {
        if (part.type === "text-delta") pieces.push(part.text);
        if (part.type === "error") throw part.error;
      }
      used = usageOf(await usage, model.price);
    };
    await abortable(read(), ending);
    return { summary: pieces.join("").trim(), usage: used };
  } catch {
    signal.throwIfAborted();
    return { summary: "", usage: used };
  } finally {
    deadline.cancel();
  }
}
