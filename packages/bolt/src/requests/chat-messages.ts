import { z } from "@hono/zod-openapi";

/**
 * A message of the AI SDK's `useChat`. Parts and attachments of any version are accepted; unknown
 * ones are ignored.
 */
export const Message = z.looseObject({
  id: z.string().max(200).nullish(),
  role: z.string().max(50),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  parts: z.array(z.unknown()).nullish(),
  experimental_attachments: z.array(z.unknown()).nullish(),
});
export type MessageBody = z.infer<typeof Message>;

/** A message by a person or a model, without bolt.diy's prefix. */
export interface SpokenMessage {
  role: "user" | "assistant";
  text: string;
  model?: string | undefined;
  provider?: string | undefined;
}

/** Whether a person or a model wrote it; other roles are internal to the client. */
export const isSpoken = ({ role }: MessageBody): boolean => role === "user" || role === "assistant";

/** The messages, oldest first. */
export const readSpoken = (messages: readonly MessageBody[]): SpokenMessage[] =>
  messages.filter(isSpoken).map((message) => ({
    role: message.role === "user" ? "user" : "assistant",
    ...readHead(textOf(message)),
  }));

/** The parts, including those in a content list. */
export const partsOf = ({ content, parts }: MessageBody): unknown[] => [
  ...(parts ?? []),
  ...(Array.isArray(content) ? content : []),
];

/** The text of a message, including bolt.diy's prefix. */
export function textOf({ content, parts }: MessageBody): string {
  if (typeof content === "string" && content !== "") return content;
  const pieces = Array.isArray(content) ? content : (parts ?? []);
  return pieces
    .flatMap((piece) => {
      const { type, text } = (piece ?? {}) as { type?: unknown; text?: unknown };
      return type === "text" && typeof text === "string" && text !== "" ? [text] : [];
    })
    .join("\n");
}

/** bolt.diy names the model in the text itself: `[Model: NAME]`, a blank line, `[Provider: NAME]`, a blank line. */
export function readHead(written: string): { text: string; model?: string; provider?: string } {
  let text = written;
  const take = (name: string) => {
    const found = new RegExp(`^\\[${name}: ([^\\]\\n]*)\\]\\s*`).exec(text);
    if (found) text = text.slice(found[0].length);
    return found?.[1]?.trim();
  };
  const [model, provider] = [take("Model"), take("Provider")];
  return { text, model, provider };
}
