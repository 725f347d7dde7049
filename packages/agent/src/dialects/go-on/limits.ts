/** Maximum characters before a continuation that may be a remark about it, a fence, or tags that open again. */
export const HEAD_LIMIT = 1_000;
/** Maximum characters of the first line of these. */
export const HEAD_LINE = 200;
/** Maximum characters that a continuation repeats, unless it restarts from the content's first line. */
export const OVERLAP_LIMIT = 8_000;
/** Characters other than white space from which on an overlap counts: shorter ones occur by chance. */
export const OVERLAP_LEAST = 10;
/** The same for an overlap that begins with the line that was cut. One character is often doubled (`//`, `##`). */
export const LINE_LEAST = 2;
/**
 * Characters of the last words with which a continuation is asked to begin: at least, without white space, and at most,
 * with it.
 */
export const LAST_WORDS_LEAST = 20;
export const LAST_WORDS_MOST = 300;
