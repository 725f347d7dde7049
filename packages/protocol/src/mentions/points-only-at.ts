import { parseMentions } from "./parse.ts";

/**
 * Removes the `@` from mentions of anything outside the project in a text that somebody else wrote
 * for the person, unless the person's own text has the same mention. Files stay: an unknown name is
 * just a word.
 */
export function pointsOnlyAt(text: string, own: string): string {
  const known = new Set(parseMentions(own).map((mention) => mention.text));
  let left = text;
  // A removed mention may reveal another inside it.
  for (;;) {
    const foreign = parseMentions(left).filter(
      (mention) => mention.kind !== "path" && !known.has(mention.text),
    );
    if (foreign.length === 0) return left;
    let from = 0;
    let next = "";
    for (const { start } of foreign) {
      next += left.slice(from, start);
      from = start + 1;
    }
    left = next + left.slice(from);
  }
}
