import type { UIMessage } from "ai";

const GONE = "(a file that is not kept here)";

/**
 * Removes files given by URL. Treadle creates none; one in an imported log or a restored backup
 * would make this server, or the provider, request its address (A101).
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
