import type { Input } from "./input.ts";
import type { Match, TagMatch } from "./match-name.ts";

/** Checks for a tag of `names` at a `<`. */
export type Matcher<T extends TagMatch = TagMatch> = (
  text: string,
  at: number,
  names: readonly string[],
) => Match<T>;

/**
 * Passes on the text before a closing tag: returns the tag, with `input` at it; `"more"` at an
 * incomplete one; undefined when everything was passed on.
 */
export function readUntil<T extends TagMatch>(
  input: Input,
  match: Matcher<T>,
  names: readonly string[],
  pass: (text: string) => void,
): Match<T> {
  const one = input.takeOne();
  if (one !== "") {
    pass(one);
    return undefined;
  }
  const { chunk, at } = input;
  let less = chunk.indexOf("<", at);
  let found: Match<T>;
  for (; less !== -1; less = chunk.indexOf("<", less + 1)) {
    // Most tags in code are not closing ones; at the chunk's end that is undecided.
    if (less + 1 < chunk.length && chunk.charCodeAt(less + 1) !== 47) continue;
    found = match(chunk, less, names);
    if (found) break;
  }
  const before = input.take(less === -1 ? chunk.length : less);
  if (before !== "") pass(before);
  return found;
}
