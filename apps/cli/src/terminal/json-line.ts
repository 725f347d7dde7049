/**
 * Characters that JSON does not escape and that a terminal may obey or hide: C1 controls, and marks
 * for direction and zero width.
 */
const UNSAFE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A value as one line of JSON that is safe to print on a terminal (A41, A42): control characters are escaped, which JSON
 * parsers read back as the same text.
 */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll(UNSAFE, numbered)}\n`;

const numbered = (mark: string) =>
  Array.from(
    { length: mark.length },
    (_, at) => `\\u${mark.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
