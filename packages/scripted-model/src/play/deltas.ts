/**
 * Cuts a text into the small pieces in which a model's tokens arrive: between 1 and twice `size` code points, by a fixed
 * pattern, so that the same script streams the same deltas. Never inside a surrogate pair, as no provider does that.
 */
export function* deltas(text: string, size: number): Generator<string> {
  let start = 0;
  let ordinal = 0;
  while (start < text.length) {
    // A short walk over 1…2×size; its period is odd so that it does not fall in step with the text's own rhythm.
    const length = 1 + ((ordinal * 7 + 3) % (2 * size - 1));
    let end = Math.min(text.length, start + length);
    const code = text.charCodeAt(end - 1);
    if (code >= 0xd800 && code <= 0xdbff && end < text.length) end += 1;
    yield text.slice(start, end);
    start = end;
    ordinal += 1;
  }
}
