/** Joiners that scripts and emoji need. */
const NEEDED = new Set(["\u200c", "\u200d"]);

/** Characters that isolate or reorder text, or are only for machines; flags are excluded. */
const HIDING =
  /\u{1f3f4}[\u{e0030}-\u{e007a}]{1,6}\u{e007f}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

const numberOf = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/**
 * Makes characters visible in prose that hide or reorder text (A42), keeping the characters of any
 * script.
 */
export const visibleProse = (text: string): string =>
  text.replaceAll(HIDING, (found) => (found.startsWith("\u{1f3f4}") ? found : numberOf(found)));

/**
 * Makes hidden characters in untrusted text visible (A42): bidirectional controls, zero-width
 * characters, and tag characters, which can hide whole instructions.
 */
export const visibleText = (text: string): string =>
  text.replaceAll(/\p{Cf}/gu, (mark) => (NEEDED.has(mark) ? mark : numberOf(mark)));

/**
 * Characters that are invisible or look like a blank, by their Unicode properties: controls,
 * formats, separators, and default-ignorable characters such as the Hangul fillers. Five have no
 * such property: the braille pattern blank (U+2800), the null notehead (U+1D159), two hieroglyph
 * blanks and the Khitan filler. A variation selector after a pictograph belongs to it.
 */
const UNSEEN =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f)(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}]|\u{1d159}|\u{16fe4})/gu;
/**
 * Maximum number of marks on one letter in any script. More are drawn over neighbouring lines, or
 * as a blank.
 */
const MARKS_OF_LETTER = 4;
/** Marks without a base, or more than a letter carries. */
const LOOSE_MARKS = new RegExp(
  `(?:^|(?<=[\\s\\p{C}\\p{Z}]))\\p{M}+|(?<=[^\\p{M}]\\p{M}{${MARKS_OF_LETTER}})\\p{M}+`,
  "gu",
);

/** Shows invisible and reordering characters by code point (A42). Line breaks and tabs stay. */
export const visible = (text: string): string =>
  text
    .replaceAll(LOOSE_MARKS, (marks) => Array.from(marks, numberOf).join(""))
    .replaceAll(UNSEEN, (mark) => (mark === "\n" || mark === "\t" ? mark : numberOf(mark)));

/**
 * The exact text that a person approves: like `visible`, with every blank other than a plain space shown by its code
 * point. Programs treat a no-break space as a letter where a person sees a gap.
 */
export const visibleExactly = (text: string): string =>
  visible(text).replaceAll(/[^\S \n\t]|\ufe0f/gu, numberOf);
