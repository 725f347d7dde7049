/** What two lines may differ in and still be the same line, from the least to the most forgiving. */
export type KeyKind = "trailing" | "indent" | "loose" | "comma";

/** Lines with equal keys are the same line to that kind of forgiveness. */
export const lineKey: Record<KeyKind, (line: string) => string> = {
  trailing: (line) => line.trimEnd(),
  indent: (line) => line.trim(),
  loose,
  comma: (line) =>
    loose(line)
      .replace(/,$/, "")
      .replace(/,(?=[)\]}])/g, ""),
};

const PLAIN = /^[\x20-\x7e\t]*$/;

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
      .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
      .replace(/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"')
      .replace(/[\u2010-\u2015\u2212]/g, "-")
      .replace(/[\u200b\u2060\ufeff]/g, "");
  }
  return text
    .replaceAll("'", '"')
    .trim()
    .replace(/\s+/g, " ")
    .replace(/ ?([()[\]{},;]) ?/g, "$1")
    .replace(/(?<=[\w$"`)\]}]) (?=[^\w\s$"`([{])|(?<=[^\w\s$"`)\]}]) (?=[\w$"`([{])/g, "");
}
