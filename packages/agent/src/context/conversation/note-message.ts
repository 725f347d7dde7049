import type { UIMessage } from "ai";

export type MessagePart = UIMessage["parts"][number];

/** A message to the model that the person did not write. */
export function noteMessage(
  id: string,
  kind: "evidence" | "continue" | "results" | "summary" | "dropped" | "todo",
  text: string,
): UIMessage {
  const part: MessagePart = { type: "text", text, state: "done" };
  return { id, role: "user", metadata: { from: "treadle", kind }, parts: [part] };
}
