/** Characters that are not seen, or that turn the text around, as their numbers (A42). Line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === "\n" || character === "\t" ? character : numberOf(character),
  );
}

/** Sets text apart or turns it around against its letters, and what is read by machines alone; a flag is none of it. */
const HIDING =
  /\u{1f3f4}[\u{e0030}-\u{e007a}]{1,6}\u{e007f}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** Prose in whatever script, which keeps what it is written with; only what hides or turns other text is shown (A42). */
export function visibleProse(text: string): string {
  return text.replace(HIDING, (found) => (found.startsWith("\u{1f3f4}") ? found : numberOf(found)));
}

const numberOf = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
