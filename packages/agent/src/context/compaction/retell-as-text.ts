import type { UIMessage } from "ai";
import type { RunScope } from "../../ports/run-scope.ts";
import { standingText } from "../briefing/told-briefing.ts";
import { putBeforeReply } from "../conversation/conversation.ts";
import { noteMessage } from "../conversation/note-message.ts";
import {
  contextNote,
  shownConversation,
  type ContextNote,
  type Covered,
} from "../conversation/shown-conversation.ts";
import type { Fitting } from "./fitting.ts";
import { tokensOf } from "./measure.ts";
import { personsWords, transcriptOf } from "./transcript.ts";

/**
 * Maximum length of the conversation as text, and of the person's quoted messages before it, in
 * characters.
 */
const TRANSCRIPT_CHARS = 60_000;
const WORDS_CHARS = 12_000;

/**
 * Rewrites the conversation so far as one text, instead of calls, results, reasoning and provider
 * metadata, for a provider that refused its form. The history itself stays. Happens once in a run;
 * `settleRetelling` records whether it helped.
 * @returns whether there was anything to rewrite
 */
export function retellAsText(fit: Fitting, { run }: RunScope): boolean {
  const { conversation, budget } = fit;
  const covered = fit.retelling ? undefined : whatToRetell(conversation);
  if (!covered) return false;
  const { messages } = conversation;
  const shown = shownConversation(messages);
  const old = shown.slice(0, 1 + shown.findIndex(({ id }) => id === covered.message));
  const text = [
    "The conversation up to here is told as text.",
    `What the person said:\n${personsWords(old, WORDS_CHARS)}`,
    standingText(old),
    `What was said and done:\n${transcriptOf(old, TRANSCRIPT_CHARS)}`,
    "Go on from here, and call your tools as before.",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  const note = noteMessage(`${run}.retold-${budget.steps}`, "summary", text);
  note.metadata = { from: "treadle", kind: "summary", covered } satisfies ContextNote;
  putBeforeReply(conversation, note);
  fit.retelling = { state: "tried", note, before: tokensOf(shown) };
  return true;
}

/**
 * Keeps the rewritten conversation, also for the project's next turns, if the provider accepted it.
 * Reverts it otherwise, as something else was wrong.
 */
export function settleRetelling(fit: Fitting, wasTaken: boolean, { run, emit }: RunScope): void {
  const { retelling, conversation } = fit;
  if (retelling?.state !== "tried") return;
  const { note, before } = retelling;
  fit.retelling = { state: "settled" };
  if (wasTaken) {
    const after = tokensOf(shownConversation(conversation.messages));
    const [part] = note.parts;
    const text = part?.type === "text" ? part.text : "";
    return emit({ type: "compacted", run, before, after, text });
  }
  for (const list of [conversation.messages, conversation.unsaved]) {
    const at = list.indexOf(note);
    if (at !== -1) list.splice(at, 1);
  }
}

/** Selects everything before the person's newest message if that is not answered yet. */
function whatToRetell({ messages, reply }: Fitting["conversation"]): Covered | undefined {
  const own = stepsIn(reply);
  if (own > 0) return { message: reply.id, steps: own };
  const lines = messages.filter((message) => !contextNote(message));
  const newest = lines.findLastIndex((message) => message.role === "user" && !isNote(message));
  const before = lines[newest - 1];
  if (!before || !lines.slice(0, newest).some(({ role }) => role === "assistant")) return undefined;
  return { message: before.id, steps: Math.max(1, stepsIn(before)) };
}

const stepsIn = ({ parts }: UIMessage) => parts.filter(({ type }) => type === "step-start").length;
const isNote = ({ metadata }: UIMessage) =>
  (metadata as { from?: unknown } | undefined)?.from === "treadle";
