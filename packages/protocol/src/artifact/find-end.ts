import type { Input } from "../text/input.ts";
import type { Match } from "../text/match-name.ts";
import { isWhite } from "../text/white.ts";
import { ACTION, ARTIFACT, matchTag } from "./tags.ts";

const CLOSING = [`/${ACTION}`];
const ON_A_LINE = [`/${ACTION}`, `/${ARTIFACT}`];
const OPENING = [ARTIFACT];

/**
 * Moves the input through an action's content to what may end it: its closing tag, or, at the beginning of a line, its
 * artifact's end or the beginning of another one. `"more"` at what may become that; undefined at the end of the chunk.
 */
export function findEnd(input: Input): Match {
  const { chunk, at } = input;
  for (let less = chunk.indexOf("<", at); less !== -1; less = chunk.indexOf("<", less + 1)) {
    const closes = chunk.charCodeAt(less + 1) === 47;
    const from = less + (closes ? 2 : 1);
    // Most tags in code are of something else: a look at two letters is enough for them.
    if (from + 1 < chunk.length) {
      const first = chunk.charCodeAt(from);
      const isBo = (first | 32) === 98 && (chunk.charCodeAt(from + 1) | 32) === 111;
      if (!isBo && !(closes && isWhite(first))) continue;
    }
    const startsLine = input.isLineStart(less);
    if (!closes && !startsLine && less + 1 < chunk.length) continue;
    const names = closes ? (startsLine ? ON_A_LINE : CLOSING) : OPENING;
    const match = matchTag(chunk, less, names);
    // A `<` that is the last may be any of them.
    if (!match && less + 1 < chunk.length) continue;
    input.at = less;
    return match ?? "more";
  }
  input.at = chunk.length;
  return undefined;
}
