import type { RunScope } from "../../ports/run-scope.ts";
import { putBeforeReply } from "../conversation/conversation.ts";
import { noteMessage } from "../conversation/note-message.ts";
import { shownConversation, type ContextNote } from "../conversation/shown-conversation.ts";
import { compact } from "./compact.ts";
import type { Fitting } from "./fitting.ts";
import { shownTokens } from "./measure.ts";
import { staleContents } from "./stale-contents.ts";

/** Window assumed for an unknown model, in tokens; an overflow error of the model lowers it. */
const USUAL_WINDOW = 128_000;
/** Tokens reserved for an answer. */
const ANSWER = 16_000;
/** Factor on the estimate for prompt and tools: providers wrap each of them. */
const WRAPPING = 1.2;
/** Share of the room above which outdated contents are left out. */
const CROWDED = 0.5;
/** Factor for the room after the model rejected the conversation as too long. */
const SHRINKS = 0.6;
/** Minimum room for a conversation, in tokens. */
const SMALLEST = 1_000;
/** Number of overflows in a run that are answered by summarising more. */
const OVERFLOWS = 2;

/** Tokens available for the conversation. */
function roomOf(fit: Fitting): number {
  const { contextWindow = USUAL_WINDOW, maxOutputTokens = ANSWER } = fit.model;
  const answer = Math.min(maxOutputTokens, contextWindow * 0.25);
  const room = Math.min(contextWindow * 0.9, contextWindow - answer) - fit.fixedTokens() * WRAPPING;
  return Math.max(SMALLEST, Math.min(room, fit.room ?? room));
}

/**
 * Called before a request: leaves out outdated contents, and summarises what no longer fits. Both happen rarely and in
 * batches, since each invalidates the provider's cache. Rejects only when the run is aborted.
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

/**
 * Shortens the conversation after the model rejected it as too long. Resolves with whether to ask
 * again.
 */
export async function answerOverflow(fit: Fitting, scope: RunScope): Promise<boolean> {
  if (fit.overflows >= OVERFLOWS) return false;
  fit.overflows++;
  fit.room = shownTokens(shownConversation(fit.conversation.messages), fit.model) * SHRINKS;
  return compact(fit, roomOf(fit) * CROWDED, scope);
}
