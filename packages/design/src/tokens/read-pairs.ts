import { usesIn } from "../sheets/values.ts";
import { isRootRule } from "./modes.ts";
import type { PlacedSheet } from "./placed-tokens.ts";

/**
 * Maps each token for a text colour to the token of the background behind that text: the one set by the same rule, or
 * else the page's.
 * @param names all tokens; shadcn's `--card-foreground` is shown on its `--card`
 */
export function readPairs(
  sheets: readonly PlacedSheet[],
  names: readonly string[],
): Map<string, string> {
  const known = new Set(names);
  const pairs = new Map<string, string>();
  for (const name of names) {
    const surface = name === "--foreground" ? "--background" : name.replace(/-foreground$/, "");
    if (surface !== name && known.has(surface)) pairs.set(name, surface);
  }
  const inherited: string[] = [];
  let page: string | undefined;
  for (const { sheet, blocks } of sheets)
    for (const block of blocks) {
      const tokenOf = (properties: RegExp) =>
        block.declarations
          .filter(({ property }) => properties.test(property.toLowerCase()))
          .flatMap(({ nodes }) => usesIn(sheet.text, nodes))
          .find(({ name, isAlone, channels }) => known.has(name) && (isAlone || channels))?.name;
      const background = tokenOf(/^background(?:-color)?$/);
      const text = tokenOf(/^color$/);
      if (isRootRule(block)) page ??= background;
      if (text === undefined || pairs.has(text)) continue;
      if (background !== undefined) pairs.set(text, background);
      else inherited.push(text);
    }
  if (page !== undefined)
    for (const text of inherited) if (!pairs.has(text) && text !== page) pairs.set(text, page);
  return pairs;
}
