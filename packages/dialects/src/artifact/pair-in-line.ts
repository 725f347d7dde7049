import { ACTION_END, matchTag } from "./tags.ts";

/** Characters in which an action that is shown within a line has to come to its end. */
export const LINE_LIMIT = 512;

/**
 * Where an action that begins in the midst of a line has its closing tag in the same line, as in a sentence that shows how
 * one is written.
 * @param from behind the opening tag's name
 * @returns the place behind the closing tag; `"more"` where the line goes on in what comes next; undefined where there is none
 */
export function pairInLine(chunk: string, from: number): number | "more" | undefined {
  const limit = Math.min(chunk.length, from + LINE_LIMIT);
  const line = chunk.indexOf("\n", from);
  const to = line === -1 ? limit : Math.min(line, limit);
  const tagEnd = chunk.indexOf(">", from);
  // One that closes itself has no end elsewhere.
  if (tagEnd !== -1 && tagEnd < to && chunk.charCodeAt(tagEnd - 1) === 47) return undefined;
  for (let less = chunk.indexOf("<", from); less !== -1 && less < to;) {
    const match = matchTag(chunk, less, [ACTION_END]);
    if (match === "more") return match;
    if (match) return match.end;
    less = chunk.indexOf("<", less + 1);
  }
  return to === chunk.length && to < from + LINE_LIMIT ? "more" : undefined;
}
