/** White space of ASCII, as tags and lines know it. */
export function isWhite(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** The first place from `at` on, and before `limit`, that is no white space. */
export function skipWhite(text: string, at: number, limit = text.length): number {
  while (at < limit && isWhite(text.charCodeAt(at))) at++;
  return at;
}
