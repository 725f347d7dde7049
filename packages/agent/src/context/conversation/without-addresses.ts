import type { UIMessage } from "ai";

const GONE = "(a file that is not kept here)";

/**
 * The conversation without files that are somewhere else. None of ours has any: a conversation may come from an imported log
 * or a restored backup, and what it names would be asked for by this server, or by the provider (A101).
 */
export function withoutAddresses(messages: readonly UIMessage[]): UIMessage[] {
  return messages.map((message) =>
    message.parts.some(isElsewhere)
      ? {
          ...message,
          parts: message.parts.map((part) =>
            isElsewhere(part) ? { type: "text" as const, text: GONE } : part,
          ),
        }
      : message,
  );
}

function isElsewhere(part: UIMessage["parts"][number]): boolean {
  if (part.type !== "file" && part.type !== "reasoning-file") return false;
  return !String(part.url).startsWith("data:");
}
