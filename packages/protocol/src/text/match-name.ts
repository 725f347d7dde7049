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
 * @param lenient names are given in lower case and written in any, and white space may follow the slash.
 */
export function matchName(
  text: string,
  at: number,
  names: readonly string[],
  lenient: boolean,
): Match {
  let from = at + 1;
  const slash = text.charCodeAt(from) === 47 ? "/" : "";
  if (slash && ++from && lenient)
    from = skipWhite(text, from, Math.min(text.length, from + TAG_WHITE_LIMIT));
  const limit = Math.min(text.length, from + NAME_LIMIT);
  let to = from;
  while (to < limit && isNameCode(text.charCodeAt(to))) to++;
  let name = slash + text.slice(from, to);
  if (lenient) name = name.toLowerCase();
  if (to === text.length) return names.some((one) => one.startsWith(name)) ? "more" : undefined;
  return names.includes(name) ? { name, end: to } : undefined;
}

/** Letters, digits, `-` and `_`. */
function isNameCode(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95;
}
