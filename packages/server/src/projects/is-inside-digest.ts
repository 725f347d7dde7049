/** Number of characters from which on a token is no word. */
const DIGEST_CHARS = 32;

/**
 * Whether a line contains a text only inside long tokens of letters and digits: hashes, keys, encoded data. A
 * search for a word does not mean those; a text at the beginning of such a token is meant.
 */
export function isInsideDigest(line: string, text: string): boolean {
  const haystack = line.toLowerCase();
  const needle = text.trim().toLowerCase();
  let at = haystack.indexOf(needle);
  if (needle === "" || at < 0) return false;
  for (; at >= 0; at = haystack.indexOf(needle, at + 1)) {
    let from = at;
    let to = at + needle.length;
    while (from > 0 && isTokenChar(haystack[from - 1])) from--;
    while (to < haystack.length && isTokenChar(haystack[to])) to++;
    const token = haystack.slice(from, to);
    const isDigest = token.length >= DIGEST_CHARS && /\d/.test(token) && /[a-z]/.test(token);
    if (!isDigest || from === at) return false;
  }
  return true;
}

/** The characters of hexadecimal numbers and of Base64. */
const isTokenChar = (char: string | undefined): boolean =>
  char !== undefined && /[a-z0-9+/=]/.test(char);
