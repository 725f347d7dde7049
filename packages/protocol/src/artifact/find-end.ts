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
    const next = chunk.charCodeAt(less + 1);
    let names = OPENING;
    if (next === 47) {
      // Most closing tags in code are of something else: a look at one letter is enough for them.
      const name = chunk.charCodeAt(less + 2);
      if ((name | 32) !== 98 && !isWhite(name) && less + 2 < chunk.length) continue;
      names = input.isLineStart(less) ? ON_A_LINE : CLOSING;
    } else if (less + 1 < chunk.length && ((next | 32) !== 98 || !input.isLineStart(less)))
      continue;
    const match = matchTag(chunk, less, names);
    // A `<` that is the last may be any of them.
    if (!match && less + 1 < chunk.length) continue;
    input.at = less;
    return match ?? "more";
  }
  input.at = chunk.length;
  return undefined;
}
