/** Licences that want the sources of what is passed on, or (AGPL, SSPL) of what is answered with. */
const STRONG = /^(?:A?GPL(?:[-v\d]|$)|(?:SSPL|EUPL|N?P?OSL|RPL|CPAL|CECILL(?!-[BC]))(?:-|$))/i;
/** As licences are called where nobody looked up how SPDX does. */
const SPOKEN = /\b(?:GNU\s+)?(?:(Affero)\s+|(Lesser|Library)\s+)?General\s+Public\s+Licen[cs]e\b/gi;

/**
 * Whether a licence as package.json says it leaves no choice but a strong copyleft: of `MIT OR GPL-3.0` one may take the
 * first. An exception (`WITH`) is for the person who added it to have thought of.
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
    // As exceptions were written before `WITH`: `GPL-2.0-with-classpath-exception`.
    const strong = STRONG.test(word) && !/-with-/i.test(word);
    if (!/^with$/i.test(words[at] ?? "")) return strong;
    at += 2;
    return false;
  };
  return either();
}
