/** Normalisations of lines, in order of increasing tolerance: lines with equal keys match. */
export const KEYS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  loose,
  (line) => loose(line).replace(/,$/, ""),
];

/**
 * Indices in `KEYS`: tolerates different indentation; quotes, dashes and white space; a trailing
 * comma.
 */
export const INDENT = 2;
export const LOOSE = 3;
export const COMMA = 4;

const PLAIN = /^[\x20-\x7e\t\r]*$/;

/**
 * Unifies white space, quotes, dashes and full-width forms. Letters, digits and operators must
 * match. Unicode's compatibility form would turn x² into x2.
 */
function loose(line: string): string {
  let text = line;
  if (!PLAIN.test(text)) {
    text = text
      .normalize("NFC")
      .replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
      .replace(/[\u2018-\u201b\u2032]/g, "'")
      .replace(/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"')
      .replace(/[\u2010-\u2015\u2212]/g, "-")
      .replace(/[\u200b\u2060\ufeff]/g, "");
  }
  return text
    .replaceAll("'", '"')
    .trim()
    .replace(/\s\s+|[^\S ]/g, " ")
    .replace(/ (?=[()[\]{},;])|(?<=[()[\]{},;]) /g, "")
    .replace(/(?<=[\w$"`)\]}]) (?=[^\w\s$"`([{])|(?<=[^\w\s$"`)\]}]) (?=[\w$"`([{])/g, "");
}
