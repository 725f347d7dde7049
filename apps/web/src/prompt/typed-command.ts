/** Characters of a command's name: what is longer is a message. */
const LONGEST = 100;

/** What is typed of a command up to the caret; undefined where the message does not begin with `/`. */
export function typedCommand(text: string, caret: number): string | undefined {
  if (!text.startsWith("/") || caret < 1 || caret > LONGEST) return undefined;
  const query = text.slice(1, caret);
  return query.includes("\n") ? undefined : query;
}
