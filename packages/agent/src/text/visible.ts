/** Joiners that scripts and emoji need. */
const NEEDED = new Set(["\u200c", "\u200d"]);

/**
 * Text of a stranger with what hides in it made visible (A42): marks that turn the reading order around, characters of
 * no width, the tag characters in which whole orders can be hidden.
 */
export function visible(text: string): string {
  return text.replaceAll(/\p{Cf}/gu, (character) =>
    NEEDED.has(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
