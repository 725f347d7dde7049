/** Characters in front of a continuation that may be words about it, a fence, or tags that open again. */
export const HEAD_LIMIT = 1_000;
/** Of these, characters of its first line. */
export const HEAD_LINE = 200;
/** Characters that a continuation repeats at most, unless it begins with the content's first line. */
export const OVERLAP_LIMIT = 8_000;
/** Characters other than white space that make two places the same: fewer of them come twice by chance. */
export const OVERLAP_LEAST = 10;
/** The same of a line that was cut, from its beginning: one is doubled often enough (`//`, `##`). */
export const LINE_LEAST = 2;
/** Characters of the last words that a continuation is asked to begin with: no white space, and all. */
export const LAST_WORDS_LEAST = 20;
export const LAST_WORDS_MOST = 300;
