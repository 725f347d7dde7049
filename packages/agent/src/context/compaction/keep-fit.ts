import type { ModelFailure } from "../../models/errors/model-failure.ts";
import { noteMessage } from "../parts/data-parts.ts";
import type { Run } from "../../loop/state.ts";
import { fixedTokens } from "./context-use.ts";
import { compact, putBeforeReply } from "./compact.ts";
import { tokensOf } from "./measure.ts";
import { shownConversation } from "../conversation/shown-conversation.ts";
import { staleContents } from "./stale-contents.ts";
import type { ContextNote } from "../conversation/types.ts";

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
function roomOf(run: Run): number {
  const { contextWindow = USUAL_WINDOW, maxOutputTokens = ANSWER } = run.ports.model;
  const answer = Math.min(maxOutputTokens, contextWindow * 0.25);
  const room = Math.min(contextWindow * 0.9, contextWindow - answer) - fixedTokens(run) * WRAPPING;
  return Math.max(SMALLEST, Math.min(room, run.room ?? room));
}

/**
 * Before a model is asked: leaves out what is out of date, and sums up what no longer fits. Both are rare and in
 * batches, since each costs the provider's cache. Rejects only when the run is aborted.
 */
export async function keepFit(run: Run): Promise<void> {
  const room = roomOf(run);
  const shown = shownConversation(run.messages);
  const tokens = tokensOf(shown);
  if (tokens < room * CROWDED) return;
  const calls = staleContents(shown);
  if (calls.length > 0) {
    const note = noteMessage(`${run.request.run}.dropped-${run.steps}`, "dropped", "");
    note.parts = [];
    note.metadata = { from: "treadle", kind: "dropped", calls } satisfies ContextNote;
    putBeforeReply(run, note);
  }
  if (tokensOf(shownConversation(run.messages)) > room) await compact(run, room * CROWDED);
}

/** After the model said that the conversation does not fit: makes it shorter. Resolves with whether to ask again. */
export async function answerOverflow(run: Run, failure: ModelFailure): Promise<boolean> {
  if (failure.code !== "context-overflow" || run.overflows >= OVERFLOWS) return false;
  run.overflows++;
  run.room = tokensOf(shownConversation(run.messages)) * SHRINKS;
  return compact(run, roomOf(run) * CROWDED);
}
