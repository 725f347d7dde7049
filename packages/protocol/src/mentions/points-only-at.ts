import { parseMentions } from "./parse.ts";

/**
 * A text that somebody else wrote for the person, pointing at nothing out of the project that their own words do not
 * point at: the `@` before it is left out. Files stay: a name that none has is a word.
 */
export function pointsOnlyAt(text: string, own: string): string {
  const known = new Set(parseMentions(own).map((mention) => mention.text));
  let left = text;
  // One may stand inside of another that is none any more.
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
