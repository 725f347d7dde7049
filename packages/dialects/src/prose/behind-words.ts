/**
 * Decides, for every dialect, what a call is whose line begins with words, by what follows the call on its last line.
 * With a word or a mark of a sentence behind it, a sentence speaks of the call, and it is text. With nothing but blanks or
 * a tag behind it, it was written to be carried out.
 * @param behind the text behind the call
 * @param isWhole whether nothing more comes
 * @returns `"more"` if only what comes next can tell
 */
export function goesOnInSentence(behind: string, isWhole: boolean): boolean | "more" {
  if (/^[ \t]*[\p{L}\p{N},.;:)]/u.test(behind)) return true;
  return !isWhole && /^[ \t]*$/.test(behind) ? "more" : false;
}
