/**
 * Licences that require the sources of distributed programs, or (AGPL, SSPL) of those offered over
 * a network.
 */
const STRONG = /^(?:A?GPL(?:[-v\d]|$)|(?:SSPL|EUPL|N?P?OSL|RPL|CPAL|CECILL(?!-[BC]))(?:-|$))/i;
/** Informal names of licences that are not SPDX identifiers. */
const SPOKEN = /\b(?:GNU\s+)?(?:(Affero)\s+|(Lesser|Library)\s+)?General\s+Public\s+Licen[cs]e\b/gi;

/**
 * Whether a package.json licence leaves no choice but a strong copyleft: `MIT OR GPL-3.0` allows
 * the first. An exception (`WITH`) is left to the judgement of the person who added the package.
 */
export function isCopyleft(licence: string): boolean {
  const plain = licence
    .replace(SPOKEN, (_, affero?: string, lesser?: string) =>
      affero ? "AGPL" : lesser ? "LGPL" : "GPL",
    )
    .replace(/^(?:the|GNU)\s+/gi, "");
  const words = plain.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const either = (): boolean => {
    let all = both();
    while (/^or$/i.test(words[at] ?? "")) {
      at++;
      all = both() && all;
    }
    return all;
  };
  const both = (): boolean => {
    let any = one();
    while (/^and$/i.test(words[at] ?? "")) {
      at++;
      any = one() || any;
    }
    return any;
  };
  const one = (): boolean => {
    if (words[at] === "(") {
      at++;
      const inside = either();
      if (words[at] === ")") at++;
      return inside;
    }
    const word = words[at++] ?? "";
    // Exceptions were once written without `WITH`: `GPL-2.0-with-classpath-exception`.
    const strong = STRONG.test(word) && !/-with-/i.test(word);
    if (!/^with$/i.test(words[at] ?? "")) return strong;
    at += 2;
    return false;
  };
  return either();
}
