/** What a published app may be called: the first label of its host. It is shorter than a preview's. */
const NAME = /^[a-z](?:[a-z0-9]|-(?!-)){0,22}[a-z0-9]$/;
/** Names that mean this machine, Treadle, or something that mail and browsers look for. */
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

/** Two hyphens in a row are a preview's; a preview's own name is 26 characters that nobody chose. */
export const isAppName = (name: string): boolean => NAME.test(name) && !TAKEN.has(name);

/** A name made of a project's, that nobody has yet. */
export function nameFor(project: string, isFree: (name: string) => boolean): string {
  const plain = project
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mn}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, 24)
    .replace(/-+$/, "");
  const base = isAppName(plain) ? plain : "site";
  for (let number = 1; ; number++) {
    const name = number === 1 && base !== "site" ? base : `${base}-${number}`;
    if (isFree(name)) return name;
  }
}
