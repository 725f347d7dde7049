import type { UIMessage } from "ai";
import { answeredBy } from "./foreign-parts.ts";
import type { MessagePart } from "./note-message.ts";

/** The conversation as a run goes on with it. */
export interface Conversation {
  /** As the model is shown it: history, the person's message, replies and evidence of this run. */
  messages: UIMessage[];
  /** The assistant's message that is being made; the last of `messages`. */
  reply: UIMessage;
  /** Messages other than the reply that are still to be saved. */
  readonly unsaved: UIMessage[];
}

/** An answer of this model, before it says anything. */
export const emptyReply = (id: string, model: string): UIMessage => ({
  id,
  role: "assistant",
  metadata: answeredBy(model),
  parts: [],
});

/** What the model says next is a message of its own. */
export function goOnWith(conversation: Conversation, reply: UIMessage): void {
  conversation.messages.push(reply);
  conversation.reply = reply;
}

/** Notes stand before the reply that goes on, which stays the last message. */
export function putBeforeReply({ messages, unsaved }: Conversation, note: UIMessage): void {
  messages.splice(-1, 0, note);
  unsaved.push(note);
}

/** Keeps the notes that are not kept yet and the reply, with what is being said, as far as it is. Rejects as the store does. */
export async function saveReply(
  { reply, unsaved }: Conversation,
  save: (message: UIMessage) => Promise<void>,
  parts: readonly MessagePart[] = [],
): Promise<void> {
  for (const note of unsaved.splice(0)) await save(note);
  const fullReply = { ...reply, parts: [...reply.parts, ...parts] };
  if (fullReply.parts.length > 0) await save(structuredClone(fullReply));
}
