import type { Input } from "../text/input.ts";
import type { Match } from "../text/match-name.ts";
import { skipWhite } from "../text/white.ts";
import type { ArtifactEvents } from "./artifact-events.ts";
import { pairInLine } from "./pair-in-line.ts";
import { ACTION, ARTIFACT, matchTag, TAGS } from "./tags.ts";

/**
 * Moves the input through an action's content to what may end it: its closing tag, or, at the beginning of a line, its
 * artifact's end or the beginning of another one; and to an action that begins in it. `"more"` at what may become that; undefined at the end of the chunk.
 * An action that a file shows within a line is passed over.
 */
export function findEnd(input: Input, outline: ArtifactEvents): Match {
  const { chunk, at } = input;
  let isBegun = false;
  for (let less = chunk.indexOf("<", at); less !== -1; less = chunk.indexOf("<", less + 1)) {
    // Most tags in code are of something else, and many a `<` is none: two letters tell.
    let from = skipWhite(chunk, less + 1);
    if (chunk.charCodeAt(from) === 47) from = skipWhite(chunk, from + 1);
    if (from < chunk.length && (chunk.charCodeAt(from) | 32) !== 98) continue;
    if (from + 1 < chunk.length && (chunk.charCodeAt(from + 1) | 32) !== 111) continue;
    const match = matchTag(chunk, less, TAGS);
    if (!match) continue;
    const isArtifacts = match !== "more" && match.name.endsWith(ARTIFACT);
    if (isArtifacts && !input.isLineStart(less)) continue;
    if (match !== "more" && match.name === ACTION && outline.isFile && !input.isLineStart(less)) {
      // What begins a content may be the same tag once more.
      isBegun ||= !outline.isBlank() || /\S/.test(chunk.slice(at, less));
      const pair = isBegun && pairInLine(chunk, match.end);
      if (typeof pair === "number") {
        less = pair - 1;
        continue;
      }
      input.at = less;
      return pair || match;
    }
    input.at = less;
    return match;
  }
  input.at = chunk.length;
  return undefined;
}
