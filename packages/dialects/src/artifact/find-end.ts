import type { Input } from "../text/input.ts";
import type { Match } from "../text/match-name.ts";
import { skipWhite } from "../text/white.ts";
import type { ArtifactEvents } from "./artifact-events.ts";
import { pairInLine } from "./pair-in-line.ts";
import { ACTION, ARTIFACT, matchTag, TAGS } from "./tags.ts";

/**
 * Advances the input through an action's content to a possible end: its closing tag, or, at the
 * beginning of a line, its artifact's end or the start of another one; or to an action that begins
 * in it. Returns `"more"` at the incomplete start of such a tag, and undefined at the end of the
 * chunk. An action shown within a line is skipped.
 */
export function findEnd(input: Input, outline: ArtifactEvents): Match {
  const { chunk, at } = input;
  let isBegun = false;
  for (let less = chunk.indexOf("<", at); less !== -1; less = chunk.indexOf("<", less + 1)) {
    // Most `<` in code begin other tags or none; two letters suffice to tell.
    let from = skipWhite(chunk, less + 1);
    if (chunk.charCodeAt(from) === 47) from = skipWhite(chunk, from + 1);
    if (from < chunk.length && (chunk.charCodeAt(from) | 32) !== 98) continue;
    if (from + 1 < chunk.length && (chunk.charCodeAt(from + 1) | 32) !== 111) continue;
    const match = matchTag(chunk, less, TAGS);
    if (!match) continue;
    const isArtifacts = match !== "more" && match.name.endsWith(ARTIFACT);
    if (isArtifacts && !input.isLineStart(less)) continue;
    if (match !== "more" && match.name === ACTION && outline.isFile && !input.isLineStart(less)) {
      // The content may begin with a repetition of the same tag.
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
