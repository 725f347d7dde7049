/** The text that replaces a key. */
const MASK = "(key)";

/** Text that is masked already, as in `sk-ab*****xyz`: what is left of it still shows a part. */
const MASKED = /[\w-]*\*{3,}[\w*-]*/g;
/** What a provider says to be a key: behind a colon or an equals sign, and no plain word or number. */
const NAMED =
  /(\b(?:api[ _-]?key|key|token|secret|credentials?)\b[^:.\n]{0,40}[:=]\s*)["'“`]?(?=[^\s"'”`,;]*[A-Za-z])(?=[^\s"'”`,;]*[-_\d])[^\s"'”`,;]{4,}/gi;
/** `sk-…`, `gsk_…`, `xai-…`: a short prefix and a body. */
const PREFIXED =
  /\b(?:[a-z]{2,6}[-_])+(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{16,}/g;
/** A long run of letters in both cases and digits, or of hexadecimal digits: no name of a model has one. */
const RANDOM =
  /\b(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{20,}\b|\b[0-9a-f]{32,}\b/g;

/** A provider's words without what is a key or may be one. Names of models and numbers of tokens stay. */
export function withoutKeys(words: string): string {
  return words
    .replaceAll(MASKED, MASK)
    .replaceAll(NAMED, `$1${MASK}`)
    .replaceAll(PREFIXED, (found) => (isKeyLike(found) ? MASK : found))
    .replaceAll(RANDOM, MASK);
}

/** Whether one of its pieces is random: `claude-sonnet-4-20250514` has none. */
function isKeyLike(text: string): boolean {
  return text
    .split(/[-_]/)
    .some((piece) => piece.length >= 12 && /\d/.test(piece) && /[A-Za-z]/.test(piece));
}
