/** How many characters of a text are no white space: what it can be known by. */
export function letters(text: string): number {
  return text.replaceAll(/\s/g, "").length;
}
