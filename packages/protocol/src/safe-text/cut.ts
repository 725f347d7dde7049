/**
 * The start of a text: at most `length` UTF-16 units, one less if the cut would split a character.
 * Model providers refuse requests with half a surrogate pair.
 */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length;
  return text.slice(0, Math.max(0, end));
}

/**
 * The end of a text: at most `length` UTF-16 units, one less if the cut would split a character.
 */
export function tailOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;
