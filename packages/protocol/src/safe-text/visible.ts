/** Joiners that scripts and emoji need. */
const NEEDED = new Set(["\u200c", "\u200d"]);

/** Sets text apart or turns it around against its letters, and what is read by machines alone; a flag is none of it. */
const HIDING =
  /\u{1f3f4}[\u{e0030}-\u{e007a}]{1,6}\u{e007f}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

const numberOf = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** Prose in whatever script, which keeps what it is written with; only what hides or turns other text is shown (A42). */
export const visibleProse = (text: string): string =>
  text.replaceAll(HIDING, (found) => (found.startsWith("\u{1f3f4}") ? found : numberOf(found)));

/**
 * Text of a stranger with what hides in it made visible (A42): marks that turn the reading order around, characters of
 * no width, the tag characters in which whole orders can be hidden.
 */
export const visibleText = (text: string): string =>
  text.replaceAll(/\p{Cf}/gu, (mark) => (NEEDED.has(mark) ? mark : numberOf(mark)));

/** Characters that are not seen, or that turn the text around, as their numbers (A42). Line breaks and tabs stay. */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (mark) =>
    mark === "\n" || mark === "\t" ? mark : numberOf(mark),
  );
