import { isToolUIPart, type UIMessage } from "ai";

const SETTLED = new Set(["output-available", "output-error", "output-denied"]);

/**
 * A history in which every call has a result: providers refuse one that has not. Calls of a run that was killed
 * become `interrupted`.
 */
export function settleHistory(messages: UIMessage[]): UIMessage[] {
  return messages.map((message) => {
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
