import { isToolUIPart, type UIMessage } from "ai";

/** As the design counts them where the provider has not. */
const CHARACTERS_PER_TOKEN = 4;

/** Characters of what a message says to the model. */
export function charactersOf({ parts }: Pick<UIMessage, "parts">): number {
  let sum = 0;
  for (const part of parts) {
    if (part.type === "text" || part.type === "reasoning") sum += part.text.length;
    else if (isToolUIPart(part)) {
      sum += JSON.stringify(part.input ?? {}).length;
      if (part.state === "output-available") sum += String(part.output).length;
      else if (part.state === "output-error") sum += part.errorText.length;
    } else if (part.type.startsWith("data-"))
      sum += JSON.stringify((part as { data?: unknown }).data ?? "").length;
  }
  return sum;
}

/** Tokens of messages, estimated. */
export function tokensOf(messages: readonly Pick<UIMessage, "parts">[]): number {
  const characters = messages.reduce((sum, message) => sum + charactersOf(message), 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
