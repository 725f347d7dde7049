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

/** An option of the request for a summary, of nobody else's provider: recordings tell it from a step. */
const ASKS_TO_SUM_UP = { treadle: { sumsUp: true } } as const;

const INSTRUCTIONS = prose(new URL("./summarise.md", import.meta.url));

/** Tokens of the newest steps that stay as they are. */
const KEPT_TOKENS = 20_000;
/** Tokens of a summary. */
const SUMMARY_TOKENS = 4_096;
/** Characters of the person's own words, and of the list that takes a summary's place. */
const WORDS = 12_000;
const LIST = 8_000;
/** A model that does not sum up by then is done without. */
const SUMMARY_MS = 120_000;

/** What is summed up, and with what. */
export interface SummaryRequest {
  messages: readonly UIMessage[];
  /** Tokens that the newest steps may take. */
  room: number;
  model: Model;
  clock: Clock;
  /** Of the note, unique in the project. */
  id: string;
  signal: AbortSignal;
}

/** A note that stands for the older part of a conversation, with what came of it. Tokens are estimated. */
export interface Summary {
  note: UIMessage;
  /** What the note says. */
  text: string;
  before: number;
  after: number;
  usage: Usage;
}

/**
 * Sums up all but the newest steps of the run's conversation, so that it is short again. Resolves with whether it became
 * shorter. Rejects only when the run is aborted.
 * @param room tokens that the newest steps may take
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
 * Sums up all but the newest steps of a conversation. The history itself stays; the note says what is shown in place of
 * what. Where the model gives no summary, a list of what was done takes its place. Undefined where there is nothing to sum
 * up. Rejects only when it is aborted.
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
    // What is no summary is not relied on.
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

/** Whether it has the headings that were asked for, or as many in another language. */
function isSummary(text: string): boolean {
  const headings =
    text.match(/^[^\p{L}\n\r\u2028\u2029]*\p{L}[\p{L}\p{M} ]{0,40}(?:[:：]|\*\*|$)/gmu) ?? [];
  return headings.length >= 3;
}

/** All steps but the newest that fit into `room` tokens; nothing where there is nothing before those. */
function whatToCover(messages: readonly UIMessage[], room: number): Covered | undefined {
  let left = room;
  for (const message of shownConversation(messages).toReversed()) {
    // An older summary goes into the new one.
    if (contextNote(message)) return undefined;
    const steps = stepsOf(message);
    for (let step = steps.length; step > 0; step--) {
      left -= tokensOf([{ parts: steps[step - 1]! }]);
      if (left >= 0) continue;
      // Of a message that was cut before, the steps that are left are counted from where that cut was.
      const full = messages.find(({ id }) => id === message.id);
      return {
        message: message.id,
        steps: (full ? stepsOf(full).length : 0) - steps.length + step,
      };
    }
  }
  return undefined;
}

/** A message's parts by step. What stands before the first step, as in what a person says, counts as one of its own. */
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
  // Notes about what is covered may stand behind it.
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
