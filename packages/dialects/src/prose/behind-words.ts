/**
 * Decides, for every dialect, whether a call on a line that begins with words is intended, by the
 * text after it on its last line. If a word or punctuation follows, a sentence mentions the call,
 * and it is text. If only white space or a tag follows, it is meant to be executed.
 * @param behind the text after the call
 * @param isWhole whether no more text comes
 * @returns `"more"` if only further text can decide
 */
export function goesOnInSentence(behind: string, isWhole: boolean): boolean | "more" {
  if (/^[ \t]*[\p{L}\p{N},.;:)]/u.test(behind)) return true;
  return !isWhole && /^[ \t]*$/.test(behind) ? "more" : false;
}
