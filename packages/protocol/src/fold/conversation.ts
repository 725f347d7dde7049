import type { LogEvent } from "../log/types.ts";
import type { Draft } from "./draft.ts";
import type { ProjectState, SaidMessage } from "./types.ts";

/**
 * A conversation is a path through a tree: each message follows the last one at the start of its run, and going back
 * moves the end of the path. The log keeps everything, so that going back can itself be undone.
 */

/**
 * Records the start of a run: its message becomes the newest one. A run that continues after an interruption keeps its
 * place.
 */
export function noteSaid(draft: Draft<ProjectState>, message: string, run: string): void {
  const { state } = draft;
  const known = state.said.get(message);
  const before = state.said.get(state.head);
  const { todo, last } = known ?? before ?? {};
  draft.own("said").set(message, { parent: known?.parent ?? state.head, run, todo, last });
  state.head = message;
  state.acted = false;
}

/**
 * Records a saved checkpoint.
 * @returns the conversation at that checkpoint, as its last message
 */
export function noteKept(
  draft: Draft<ProjectState>,
  { run, checkpoint, revision }: Extract<LogEvent, { type: "checkpoint" }>,
): string {
  const { head, said: messages, acted } = draft.state;
  const message = messages.get(head);
  if (!message || run === undefined || message.run !== run) return head;
  // A checkpoint before the run's first call has the state before the run, so the message is not part of it.
  if (!acted) return message.parent;
  change(draft, head, { last: { checkpoint, revision } });
  return head;
}

/** A run ended: its message says how, so that the next one can. */
export function noteOutcome(
  draft: Draft<ProjectState>,
  { run, outcome }: Extract<LogEvent, { type: "run-end" }>,
): void {
  const { head, said: messages } = draft.state;
  // Only the newest message has a run.
  if (messages.get(head)?.run === run) change(draft, head, { outcome });
}

/** Saves the to-do list with the conversation, so that it is restored with it. */
export function noteTodo(draft: Draft<ProjectState>): void {
  const { head, todo } = draft.state;
  if (draft.state.said.has(head)) change(draft, head, { todo });
}

/**
 * Makes this message the end of the conversation; empty: it has none. An unknown message changes
 * nothing.
 */
export function moveHead(
  draft: Draft<ProjectState>,
  head: string,
  left: { checkpoint: string; head: string } | undefined,
): void {
  const { state } = draft;
  if (head !== "" && !state.said.has(head)) return;
  if (left) draft.own("left").set(left.head, left.checkpoint);
  state.head = head;
  state.todo = state.said.get(head)?.todo;
}

function change(draft: Draft<ProjectState>, message: string, how: Partial<SaidMessage>): void {
  const known = draft.state.said.get(message);
  if (known) draft.own("said").set(message, { ...known, ...how });
}

/**
 * Messages of the conversation up to `head` (default: its current end), without those that a restored checkpoint
 * removed.
 */
export function conversationOf(
  { said: messages, head }: Pick<ProjectState, "said" | "head">,
  upTo = head,
): ReadonlySet<string> {
  const path = new Set<string>();
  for (let at = upTo; messages.has(at) && !path.has(at); at = messages.get(at)!.parent)
    path.add(at);
  return path;
}
