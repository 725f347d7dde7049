import { skipWhite } from "./white.ts";

/** A tag's name, a closing one's with its slash, and the place behind what was read of the tag. */
export interface TagMatch {
  name: string;
  end: number;
}

/** The tag found; `"more"` when only what comes next can tell; undefined when there is none. */
export type Match<T extends TagMatch = TagMatch> = T | "more" | undefined;

/** Characters of a name, and of the white space that may stand in a closing tag; more is not a tag any more. */
export const NAME_LIMIT = 256;
export const TAG_WHITE_LIMIT = 32;

/**
 * Looks whether one of `names` stands behind the `<` at `at`; `end` is the end of the name. Reads a bounded number of
 * characters, so that holding them back and reading them again stays cheap.
 * @param lenient names are given in lower case and written in any, also with `-` and `_` in them; white space may stand
 * before and behind the slash.
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
  // None that is read so has fewer than five letters: most of what stands behind a `<` is shorter.
  if (lenient && (to - from > 4 || to === text.length))
    name = name.toLowerCase().replace(/[-_]/g, "");
  if (closes) name = `/${name}`;
  if (to === text.length) {
    for (const one of names) if (one.startsWith(name)) return "more";
    return undefined;
  }
  const found = names.indexOf(name);
  // The one of the list: to compare it with others of the list takes no look at its characters.
  return found === -1 ? undefined : { name: names[found]!, end: to };
}

function skipSome(text: string, at: number): number {
  return skipWhite(text, at, Math.min(text.length, at + TAG_WHITE_LIMIT));
}

/** Where a name of letters, digits, `-` and `_` ends that begins at `from`. */
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
