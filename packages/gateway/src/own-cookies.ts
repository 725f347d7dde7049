/** Prefix of Treadle's own cookies, after the prefixes that browsers define. */
const OWN_COOKIE = /^(?:__(?:host|secure)-)?treadle/i;

export const isOwnCookie = (name: string) => OWN_COOKIE.test(name.trim());

/** The pairs of a browser's `Cookie` header that are not Treadle's, wherever they are (A14). */
export const foreignCookies = (lines: string[]): string[] =>
  lines
    .flatMap((line) => line.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "" && !isOwnCookie(pair));
