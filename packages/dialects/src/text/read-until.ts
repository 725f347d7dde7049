import type { Input } from "./input.ts";
import type { Match, TagMatch } from "./match-name.ts";

/** Looks for a tag of `names` at a `<`. */
export type Matcher<T extends TagMatch = TagMatch> = (
  text: string,
  at: number,
  names: readonly string[],
) => Match<T>;

/**
 * Passes on what stands before a closing tag: the tag, where `input` then stands; `"more"` at what may become it;
 * undefined when all was passed on.
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
    // Most of what looks like a tag in code is no closing one; at the chunk's end it is not known yet.
    if (less + 1 < chunk.length && chunk.charCodeAt(less + 1) !== 47) continue;
    found = match(chunk, less, names);
    if (found) break;
  }
  const before = input.take(less === -1 ? chunk.length : less);
  if (before !== "") pass(before);
  return found;
}
