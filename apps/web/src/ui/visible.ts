/** Characters that are not seen, or that turn the text around, as their numbers (A42). Line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
