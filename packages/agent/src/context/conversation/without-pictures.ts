import type { UIMessage } from "ai";

const UNSEEN = "(a picture: you cannot see it)";

/** Replaces pictures by a short text, for a model that accepts none. */
export function withoutPictures(messages: readonly UIMessage[]): UIMessage[] {
  return messages.map((message) =>
    message.parts.some(isPicture)
      ? {
          ...message,
          parts: message.parts.map((part) =>
            isPicture(part) ? { type: "text" as const, text: UNSEEN } : part,
          ),
        }
      : message,
  );
}

const isPicture = (part: UIMessage["parts"][number]) =>
  part.type === "file" && part.mediaType.startsWith("image/");
