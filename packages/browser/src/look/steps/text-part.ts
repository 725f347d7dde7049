/**
 * The pattern of a text that may be part of a longer one, in any case and however its words are separated. A number at
 * either end is matched whole: “2 left” is no part of “12 left”, or of “1.2 left”.
 * @returns the source of a regular expression with the flags `iu`
 */
export function partSource(text: string): string {
  const words = text.trim();
  const source = escapePattern(words).replaceAll(/\s+/g, String.raw`\s+`);
  const start = /^\d/.test(words) ? String.raw`(?<!\d|\d[.,])` : "";
  const end = /\d$/.test(words) ? String.raw`(?!\d)` : "";
  return start + source + end;
}

export const partPattern = (text: string): RegExp => new RegExp(partSource(text), "iu");

/** The source of a regular expression for exactly this text. */
export const escapePattern = (text: string): string =>
  text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
