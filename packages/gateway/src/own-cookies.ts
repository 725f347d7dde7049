/** Names of Treadle's own cookies begin so, behind the prefixes that browsers know. */
const OWN_COOKIE = /^(?:__(?:host|secure)-)?treadle/i;

export const isOwnCookie = (name: string) => OWN_COOKIE.test(name.trim());

/** Of what a browser sent as `Cookie`, the pairs that are not Treadle's, wherever they stand (A14). */
export const foreignCookies = (lines: string[]): string[] =>
  lines
    .flatMap((line) => line.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "" && !isOwnCookie(pair));
