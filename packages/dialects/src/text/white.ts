/** Whether the character is ASCII white space, as in tags and lines. */
export function isWhite(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** The first position from `at` on, and before `limit`, that is not white space. */
export function skipWhite(text: string, at: number, limit = text.length): number {
  while (at < limit && isWhite(text.charCodeAt(at))) at++;
  return at;
}
