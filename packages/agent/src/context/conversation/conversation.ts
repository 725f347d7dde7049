import type { UIMessage } from "ai";
import { answeredBy } from "./foreign-parts.ts";
import type { MessagePart } from "./note-message.ts";

/** The conversation during a run. */
export interface Conversation {
  /**
   * The messages for the model: history, the person's message, replies and evidence of this run.
   */
  messages: UIMessage[];
  /** The assistant's current message; the last of `messages`. */
  reply: UIMessage;
  /** Unsaved messages other than the reply. */
  readonly unsaved: UIMessage[];
}

/** An empty reply of this model. */
export const emptyReply = (id: string, model: string): UIMessage => ({
  id,
  role: "assistant",
  metadata: answeredBy(model),
  parts: [],
});

/** Begins a separate message for the model's next text. */
export function goOnWith(conversation: Conversation, reply: UIMessage): void {
  conversation.messages.push(reply);
  conversation.reply = reply;
}

/** Inserts notes before the current reply, which stays the last message. */
export function putBeforeReply({ messages, unsaved }: Conversation, note: UIMessage): void {
  messages.splice(-1, 0, note);
  unsaved.push(note);
}

/** Saves the unsaved notes and the reply, including partial text. Rejects if the store fails. */
export async function saveReply(
  { reply, unsaved }: Conversation,
  save: (message: UIMessage) => Promise<void>,
  parts: readonly MessagePart[] = [],
): Promise<void> {
  for (const note of unsaved.splice(0)) await save(note);
  const fullReply = { ...reply, parts: [...reply.parts, ...parts] };
  if (fullReply.parts.length > 0) await save(structuredClone(fullReply));
}
