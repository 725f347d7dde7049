import { ACTION_END, matchTag } from "./tags.ts";

/** Maximum number of characters in which an action shown within a line must end. */
export const LINE_LIMIT = 512;

/**
 * Finds the closing tag in the same line for an action that begins within a line, as in a sentence
 * with an example.
 * @param from position after the opening tag's name
 * @returns the position after the closing tag; `"more"` if the line continues in the next chunk;
 * undefined if there is none
 */
export function pairInLine(chunk: string, from: number): number | "more" | undefined {
  const limit = Math.min(chunk.length, from + LINE_LIMIT);
  const line = chunk.indexOf("\n", from);
  const to = line === -1 ? limit : Math.min(line, limit);
  const tagEnd = chunk.indexOf(">", from);
  // A self-closing tag has no separate end.
  if (tagEnd !== -1 && tagEnd < to && chunk.charCodeAt(tagEnd - 1) === 47) return undefined;
  for (let less = chunk.indexOf("<", from); less !== -1 && less < to;) {
    const match = matchTag(chunk, less, [ACTION_END]);
    if (match === "more") return match;
    if (match) return match.end;
    less = chunk.indexOf("<", less + 1);
  }
  return to === chunk.length && to < from + LINE_LIMIT ? "more" : undefined;
}
