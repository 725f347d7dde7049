/** Lines with equal keys are the same line to that kind of forgiveness; each kind forgives what those before it do. */
export const KEYS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  loose,
  (line) => loose(line).replace(/,$/, ""),
];

/** Places in `KEYS`: the indentation may differ; quotes, dashes and white space; a comma at the end. */
export const INDENT = 2;
export const LOOSE = 3;
export const COMMA = 4;

const PLAIN = /^[\x20-\x7e\t\r]*$/;

/**
 * White space, quotes, dashes and full-width forms made equal. Letters, digits and operators stay: they are what an
 * edit must have right. Not Unicode's own compatibility form, which would take x² for x2.
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
