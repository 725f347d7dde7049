/** Maximum characters of a command's name; anything longer is a message. */
const MAX_COMMAND_CHARS = 100;

/** The command typed up to the caret; undefined if the message does not begin with `/`. */
export function typedCommand(text: string, caret: number): string | undefined {
  if (!text.startsWith("/") || caret < 1 || caret > MAX_COMMAND_CHARS) return undefined;
  const query = text.slice(1, caret);
  return query.includes("\n") ? undefined : query;
}
