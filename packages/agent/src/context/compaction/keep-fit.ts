import type { RunScope } from "../../ports/run-scope.ts";
import { putBeforeReply } from "../conversation/conversation.ts";
import { noteMessage } from "../conversation/note-message.ts";
import { shownConversation, type ContextNote } from "../conversation/shown-conversation.ts";
import { compact } from "./compact.ts";
import type { Fitting } from "./fitting.ts";
import { shownTokens } from "./measure.ts";
import { staleContents } from "./stale-contents.ts";

/** Of a model whose window is not known; those that have less say so, and are believed. */
const USUAL_WINDOW = 128_000;
/** Tokens of an answer. */
const ANSWER = 16_000;
/** Of what is estimated of prompt and tools: providers wrap each of them. */
const WRAPPING = 1.2;
/** From this part of the room on stale contents are left out. */
const CROWDED = 0.5;
/** What is left of a conversation that did not fit. */
const SHRINKS = 0.6;
/** Tokens that no conversation can do without. */
const SMALLEST = 1_000;
/** Overflows in a run that are answered by summing up more. */
const OVERFLOWS = 2;

/** Tokens that the conversation may take. */
function roomOf(fit: Fitting): number {
  const { contextWindow = USUAL_WINDOW, maxOutputTokens = ANSWER } = fit.model;
  const answer = Math.min(maxOutputTokens, contextWindow * 0.25);
  const room = Math.min(contextWindow * 0.9, contextWindow - answer) - fit.fixedTokens() * WRAPPING;
  return Math.max(SMALLEST, Math.min(room, fit.room ?? room));
}

/**
 * Before a model is asked: leaves out what is out of date, and sums up what no longer fits. Both are rare and in
 * batches, since each costs the provider's cache. Rejects only when the run is aborted.
 */
export async function keepFit(fit: Fitting, scope: RunScope): Promise<void> {
  const { conversation, budget } = fit;
  const room = roomOf(fit);
  const shown = shownConversation(conversation.messages);
  const tokens = shownTokens(shown, fit.model);
  if (tokens < room * CROWDED) return;
  const calls = staleContents(shown);
  if (calls.length > 0) {
    const note = noteMessage(`${scope.run}.dropped-${budget.steps}`, "dropped", "");
    note.parts = [];
    note.metadata = { from: "treadle", kind: "dropped", calls } satisfies ContextNote;
    putBeforeReply(conversation, note);
  }
  if (shownTokens(shownConversation(conversation.messages), fit.model) > room)
    await compact(fit, room * CROWDED, scope);
}

/** After the model said that the conversation does not fit: makes it shorter. Resolves with whether to ask again. */
export async function answerOverflow(fit: Fitting, scope: RunScope): Promise<boolean> {
  if (fit.overflows >= OVERFLOWS) return false;
  fit.overflows++;
  fit.room = shownTokens(shownConversation(fit.conversation.messages), fit.model) * SHRINKS;
  return compact(fit, roomOf(fit) * CROWDED, scope);
}
