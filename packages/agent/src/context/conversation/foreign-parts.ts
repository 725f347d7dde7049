import { isToolUIPart, type UIMessage } from "ai";
import { distinctId, PLAIN_ID } from "./call-ids.ts";

type Part = UIMessage["parts"][number];

/** Which model an answer is of, as its message keeps it. Answers of before that was kept say nothing. */
export const answeredBy = (model: string) => ({ model });

/**
 * The conversation as it may be shown to `model`: what other models answered is without their thoughts, which are signed
 * or encrypted for their own provider, and without what their provider wants back; ids of their calls are such as nearly
 * every provider takes, and each is there once.
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
