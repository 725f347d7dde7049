import type { UIMessage } from "ai";

export type MessagePart = UIMessage["parts"][number];

/** A message that asks the model to do something, or tells it something, without the person having said it. */
export function noteMessage(
  id: string,
  kind: "evidence" | "continue" | "results" | "summary" | "dropped" | "todo",
  text: string,
): UIMessage {
  const part: MessagePart = { type: "text", text, state: "done" };
  return { id, role: "user", metadata: { from: "treadle", kind }, parts: [part] };
}
