import type { ResolveMention } from "./types.ts";

/** What a tool server lets read. It is a stranger's text, bounded and with what hides in it made visible already. */
export const mentionedResource: ResolveMention<"resource"> = async ({ server, uri }, context) => {
  const answer = await context.sources?.resource?.(server, uri, context.signal);
  if (!answer) return { ok: false, said: "tool servers cannot be read here" };
  if (!answer.ok) return { ok: false, said: answer.text };
  if (answer.text === "") return { ok: false, said: `${server} answered nothing` };
  return { ok: true, said: `as ${server} answers it`, content: answer.text };
};
