/** At least three of one character, a blank, the word; some models close it with one more bracket. */
export const SEARCH = /^(?:-{3,}|<{3,}) SEARCH>?[ \t]*$/;
/** Models also write it with the characters of the other markers. */
export const REPLACE = /^(?:[-+]{3,}|[<>]{3,}|={3,}) REPLACE>?[ \t]*$/;
export const DIVIDER = /^={3,}$/;

/** A line of content that would be read as a marker: it is written with a backslash in front. */
export function looksLikeMarker(line: string): boolean {
  return /^(?:(?:-{3,}|<{3,}) SEARCH|={3,}$|(?:[-+]{3,}|[<>]{3,}|={3,}) REPLACE)/.test(line);
}
