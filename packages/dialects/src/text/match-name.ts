import { skipWhite } from "./white.ts";

/** A tag's name, including the slash of a closing one, and the position after it. */
export interface TagMatch {
  name: string;
  end: number;
}

/** The tag found; `"more"` if only further text can decide; undefined if there is none. */
export type Match<T extends TagMatch = TagMatch> = T | "more" | undefined;

/** Maximum length of a name, and of white space in a closing tag; anything longer is not a tag. */
export const NAME_LIMIT = 256;
export const TAG_WHITE_LIMIT = 32;

/**
 * Checks whether one of `names` follows the `<` at `at`; `end` is the end of the name. Reads a
 * limited number of characters, so that holding them and reading them again stays cheap.
 * @param lenient whether names, given in lower case, match in any case, with `-` and `_` in them,
 * and with white space around the slash
 */
export function matchName(
  text: string,
  at: number,
  names: readonly string[],
  lenient: boolean,
): Match {
  let from = lenient ? skipSome(text, at + 1) : at + 1;
  const closes = text.charCodeAt(from) === 47;
  if (closes) from = lenient ? skipSome(text, from + 1) : from + 1;
  const to = endOfName(text, from);
  let name = text.slice(from, to);
  // No lenient name has fewer than five letters, and most text after a `<` is shorter.
  if (lenient && (to - from > 4 || to === text.length))
    name = name.toLowerCase().replace(/[-_]/g, "");
  if (closes) name = `/${name}`;
  if (to === text.length) {
    for (const one of names) if (one.startsWith(name)) return "more";
    return undefined;
  }
  const found = names.indexOf(name);
  // Returns the string from the list, which can be compared by identity.
  return found === -1 ? undefined : { name: names[found]!, end: to };
}

function skipSome(text: string, at: number): number {
  return skipWhite(text, at, Math.min(text.length, at + TAG_WHITE_LIMIT));
}

/** The end of a name of letters, digits, `-` and `_` that begins at `from`. */
export function endOfName(text: string, from: number): number {
  const limit = Math.min(text.length, from + NAME_LIMIT);
  let to = from;
  while (to < limit && isNameCode(text.charCodeAt(to))) to++;
  return to;
}

/** Letters, digits, `-` and `_`. */
function isNameCode(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95;
}
