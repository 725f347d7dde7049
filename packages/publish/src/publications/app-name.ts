/**
 * The form of a published app's name: the first label of its host. It is shorter than a preview's.
 */
const NAME = /^[a-z](?:[a-z0-9]|-(?!-)){0,22}[a-z0-9]$/;
const LONGEST = 24;
/** Letters that Unicode does not decompose into a base letter and a mark. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};
/** Names with a meaning for this machine, for Treadle, or for mail and browsers. */
const TAKEN = new Set([
  "www",
  "mail",
  "api",
  "admin",
  "treadle",
  "localhost",
  "app",
  "apps",
  "preview",
]);

/** Whether an app may have this name. Two hyphens in a row are reserved for previews, with 26 random characters. */
export const isAppName = (name: string): boolean => NAME.test(name) && !TAKEN.has(name);

/** A free name derived from the project's. */
export function nameFor(project: string, isFree: (name: string) => boolean): string {
  const plain = project
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mn}/gu, "")
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, LONGEST)
    .replace(/-+$/, "");
  const base = isAppName(plain) ? plain : "site";
  for (let number = 1; ; number++) {
    const end = number === 1 && base !== "site" ? "" : `-${number}`;
    const name = base.slice(0, LONGEST - end.length).replace(/-+$/, "") + end;
    if (isFree(name)) return name;
  }
}
