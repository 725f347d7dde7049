/** Maximum characters before the match, and of the whole excerpt. */
const [BEFORE, LENGTH] = [40, 160];

/** The part of a text around the first match of these words, on one line. */
export function excerptOf(text: string, words: readonly string[]): { excerpt: string } {
  const folded = text.toLowerCase();
  // Some letters become two when their case is folded: the position is then approximate, which is
  // enough for an excerpt.
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
