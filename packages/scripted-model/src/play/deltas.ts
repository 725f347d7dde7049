/**
 * Splits a text into small pieces like a model's tokens: between 1 and twice `size` code points, in
 * a fixed pattern, so that a script always streams the same deltas. Never splits a surrogate pair,
 * as no provider does.
 */
export function* deltas(text: string, size: number): Generator<string> {
  let start = 0;
  let ordinal = 0;
  while (start < text.length) {
    // A short cycle over 1…2×size; its period is odd so that it does not align with patterns in the
    // text.
    const length = 1 + ((ordinal * 7 + 3) % (2 * size - 1));
    let end = Math.min(text.length, start + length);
    const code = text.charCodeAt(end - 1);
    if (code >= 0xd800 && code <= 0xdbff && end < text.length) end += 1;
    yield text.slice(start, end);
    start = end;
    ordinal += 1;
  }
}
