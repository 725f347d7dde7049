import { isToolUIPart, type UIMessage } from "ai";
import { distinctId, PLAIN_ID } from "./call-ids.ts";

type Part = UIMessage["parts"][number];

/** Metadata with the model that gave an answer. Answers in older conversations have none. */
export const answeredBy = (model: string) => ({ model });

/**
 * The conversation as it may be sent to `model`: answers of other models lose their reasoning,
 * which is signed or encrypted for their provider, and their provider metadata. Call ids become
 * ones that nearly every provider accepts, each unique.
 */
export function withoutForeign(messages: readonly UIMessage[], model: string): UIMessage[] {
  const taken = new Set<string>();
  return messages.map((message) => {
    const by = (message.metadata as { model?: unknown } | undefined)?.model;
    const foreign = message.role === "assistant" && typeof by === "string" && by !== model;
    if (!foreign) {
      for (const part of message.parts) if (isToolUIPart(part)) taken.add(part.toolCallId);
      return message;
    }
    const parts = message.parts
      .filter(({ type }) => type !== "reasoning")
      .map((part): Part => {
        if (part.type === "text") {
          const { providerMetadata: _, ...text } = part;
          return text;
        }
        if (!isToolUIPart(part)) return part;
        const own = { ...part };
        if ("callProviderMetadata" in own) delete own.callProviderMetadata;
        return { ...own, toolCallId: distinctId(part.toolCallId, taken, PLAIN_ID) };
      });
    return { ...message, parts: parts.every(({ type }) => type === "step-start") ? [] : parts };
  });
}
