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

/**
 * Characters that are drawn as nothing or as a blank, by their Unicode properties: controls, formats, separators, and what
 * fonts ignore by default, such as the Hangul fillers. Five are signs without a mark that no property tells of: the braille
 * pattern without dots (U+2800), the empty notehead (U+1D159), two blanks of hieroglyphs and the filler of Khitan. The
 * selector behind a pictograph belongs to it.
 */
const UNSEEN =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f)(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}]|\u{1d159}|\u{16fe4})/gu;
/** Marks that one letter carries in any script. A longer pile is drawn over the lines around it, or as a blank. */
const MARKS_OF_LETTER = 4;
/** Marks with nothing to carry them, or more of them than a letter carries. */
const LOOSE_MARKS = new RegExp(
  `(?:^|(?<=[\\s\\p{C}\\p{Z}]))\\p{M}+|(?<=[^\\p{M}]\\p{M}{${MARKS_OF_LETTER}})\\p{M}+`,
  "gu",
);

/** Characters that are not seen, or that turn the text around, as their numbers (A42). Line breaks and tabs stay. */
export const visible = (text: string): string =>
  text
    .replaceAll(LOOSE_MARKS, (marks) => Array.from(marks, numberOf).join(""))
    .replaceAll(UNSEEN, (mark) => (mark === "\n" || mark === "\t" ? mark : numberOf(mark)));

/**
 * A text that a person approves, exactly: as `visible`, and every blank but the space as its number. A program reads a
 * no-break space as a letter where a person sees a gap.
 */
export const visibleExactly = (text: string): string =>
  visible(text).replaceAll(/[^\S \n\t]|\ufe0f/gu, numberOf);
