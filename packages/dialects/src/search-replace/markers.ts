/** At least three of one character, a blank, the word; some models add a closing bracket. */
export const SEARCH = /^(?:-{3,}|<{3,}) SEARCH>?[ \t]*$/;
/** Models also use the characters of the other markers. */
export const REPLACE = /^(?:[-+]{3,}|[<>]{3,}|={3,}) REPLACE>?[ \t]*$/;
export const DIVIDER = /^={3,}$/;

/** Whether a content line looks like a marker, so that it is escaped with a backslash. */
export function looksLikeMarker(line: string): boolean {
  return /^(?:(?:-{3,}|<{3,}) SEARCH|={3,}$|(?:[-+]{3,}|[<>]{3,}|={3,}) REPLACE)/.test(line);
}
