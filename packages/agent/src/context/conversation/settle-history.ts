import { isToolUIPart, type UIMessage } from "ai";
import { idOfNewCall } from "./call-ids.ts";

const SETTLED = new Set(["output-available", "output-error", "output-denied"]);

/**
 * Returns a history in which every call has a result and a unique id, as providers require. Calls
 * of a killed run become `interrupted`.
 */
export function settleHistory(messages: UIMessage[]): UIMessage[] {
  const ids = new Set<string>();
  return messages.map((one) => {
    const message = withDistinctIds(one, ids);
    if (message.parts.every((part) => !isToolUIPart(part) || SETTLED.has(part.state)))
      return message;
    return {
      ...message,
      parts: message.parts.map((part): UIMessage["parts"][number] => {
        if (!isToolUIPart(part) || SETTLED.has(part.state)) return part;
        const settled = {
          toolCallId: part.toolCallId,
          state: "output-error" as const,
          input: typeof part.input === "object" && part.input !== null ? part.input : {},
          errorText: "interrupted: the run was ended before this call was done.",
        };
        return part.type === "dynamic-tool"
          ? { type: part.type, toolName: part.toolName, ...settled }
          : { type: part.type, ...settled };
      }),
    };
  });
}

/** Gives each call its own id: older conversations may hold provider ids, some of which repeat. */
function withDistinctIds(message: UIMessage, ids: Set<string>): UIMessage {
  let isChanged = false;
  const parts = message.parts.map((part): typeof part => {
    if (!isToolUIPart(part)) return part;
    const toolCallId = idOfNewCall(part.toolCallId, ids, part.toolCallId);
    isChanged ||= toolCallId !== part.toolCallId;
    return { ...part, toolCallId };
  });
  return isChanged ? { ...message, parts } : message;
}
