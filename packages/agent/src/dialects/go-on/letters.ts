/** The number of characters of a text that are not white space, by which a text can be recognized. */
export function letters(text: string): number {
  return text.replaceAll(/\s/g, "").length;
}
