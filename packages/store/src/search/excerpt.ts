/** Characters before what was found, and of the whole. */
const [BEFORE, LENGTH] = [40, 160];

/** The piece of a text in which the first of these words stands, on one line. */
export function excerptOf(text: string, words: readonly string[]): { excerpt: string } {
  const folded = text.toLowerCase();
  // Some letters become two when they are folded: the place is then only near, which is near enough to be shown.
  const at = Math.max(0, folded.indexOf(words[0] ?? ""));
  const from = at <= BEFORE ? 0 : at - BEFORE;
  const piece = text
    .slice(from, from + LENGTH)
    .replace(/\s+/g, " ")
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")
    .trim();
  const more = text.trimEnd().length > from + LENGTH;
  return { excerpt: `${from > 0 ? "…" : ""}${piece}${more ? "…" : ""}` };
}
