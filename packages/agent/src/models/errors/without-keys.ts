/** The text that replaces a key. */
const MASK = "(key)";

/** Matches text that is masked already, as in `sk-ab*****xyz`, which still shows a part of the key. */
const MASKED = /[\w-]*\*{3,}[\w*-]*/g;
/** Matches what a provider calls a key: text after a colon or an equals sign that is no plain word or number. */
const NAMED =
  /(\b(?:api[ _-]?key|key|token|secret|credentials?)\b[^:.\n]{0,40}[:=]\s*)["'“`]?(?=[^\s"'”`,;]*[A-Za-z])(?=[^\s"'”`,;]*[-_\d])[^\s"'”`,;]{4,}/gi;
/** Matches `sk-…`, `gsk_…`, `xai-…`: a short prefix and a body. */
const PREFIXED =
  /\b(?:[a-z]{2,6}[-_])+(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{16,}/g;
/** Matches a long run of letters in both cases with digits, or of hexadecimal digits: no model's name has one. */
const RANDOM =
  /\b(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{20,}\b|\b[0-9a-f]{32,}\b/g;

/** Masks keys, and what may be one, in a provider's message. Names of models and numbers of tokens stay. */
export function withoutKeys(words: string): string {
  return words
    .replaceAll(MASKED, MASK)
    .replaceAll(NAMED, `$1${MASK}`)
    .replaceAll(PREFIXED, (found) => (isKeyLike(found) ? MASK : found))
    .replaceAll(RANDOM, MASK);
}

/** Whether a piece of the text looks random: `claude-sonnet-4-20250514` has no such piece. */
function isKeyLike(text: string): boolean {
  return text
    .split(/[-_]/)
    .some((piece) => piece.length >= 12 && /\d/.test(piece) && /[A-Za-z]/.test(piece));
}
