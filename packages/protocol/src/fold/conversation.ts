import type { LogEvent } from "../log/types.ts";
import type { Draft } from "./draft.ts";
import type { ProjectState, SaidMessage } from "./types.ts";

/**
 * A conversation is a path through a tree: each message follows on the one that stood last when its run began, and going
 * back moves the end of the path. Nothing is taken out of the log, so that going back can itself be gone back from.
 */

/** A run begins: its message is the newest one from now on. One that goes on after an interruption stays where it is. */
export function noteSaid(draft: Draft<ProjectState>, message: string, run: string): void {
  const { state } = draft;
  const known = state.said.get(message);
  const before = state.said.get(state.head);
  const { todo, last } = known ?? before ?? {};
  draft.own("said").set(message, { parent: known?.parent ?? state.head, run, todo, last });
  state.head = message;
  state.acted = false;
}

/** Files were kept. @returns the conversation that belongs to them, by its last message */
export function noteKept(
  draft: Draft<ProjectState>,
  { run, checkpoint, revision }: Extract<LogEvent, { type: "checkpoint" }>,
): string {
  const { head, said: messages, acted } = draft.state;
  const message = messages.get(head);
  if (!message || run === undefined || message.run !== run) return head;
  // What a run keeps before its first call is what it found: the message is not part of that.
  if (!acted) return message.parent;
  change(draft, head, { last: { checkpoint, revision } });
  return head;
}

/** The list of work belongs to the conversation, and is gone back to with it. */
export function noteTodo(draft: Draft<ProjectState>): void {
  const { head, todo } = draft.state;
  if (draft.state.said.has(head)) change(draft, head, { todo });
}

/** The conversation ends at this message from now on; empty: it has none. One that nobody knows changes nothing. */
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

/** Messages that the conversation consists of, up to `head` (default: as it stands); the others were gone back from. */
export function conversationOf(
  { said: messages, head }: Pick<ProjectState, "said" | "head">,
  upTo = head,
): ReadonlySet<string> {
  const path = new Set<string>();
  for (let at = upTo; messages.has(at) && !path.has(at); at = messages.get(at)!.parent)
    path.add(at);
  return path;
}
