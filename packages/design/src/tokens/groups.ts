import type { TokenGroup } from "@treadle/protocol";
import { isColour, isFontFamily, isHslChannels, usesIn } from "../sheets/values.ts";
import type { PlacedSheet, PlacedToken } from "./placed-tokens.ts";

/** What a property says of the tokens that it uses. */
const BY_PROPERTY: readonly [RegExp, TokenGroup][] = [
  [/(?:^|-)color$|^(?:background|fill|stroke|box-shadow|text-shadow)$/, "colour"],
  [/^(?:font|line-height|letter-spacing|word-spacing)(?:-|$)/, "type"],
  [/radius$/, "radius"],
  [/^(?:margin|padding|gap|row-gap|column-gap|inset|top|right|bottom|left)(?:-|$)/, "spacing"],
];

/** The namespaces of Tailwind's `@theme`, which say what a variable is for. */
const BY_NAMESPACE: readonly [RegExp, TokenGroup][] = [
  [/^--color-/, "colour"],
  [/^--(?:font|text|leading|tracking)-/, "type"],
  [/^--spacing(?:-|$)/, "spacing"],
  [/^--radius(?:-|$)/, "radius"],
];

const firstMatch = (table: readonly [RegExp, TokenGroup][], name: string) =>
  table.find(([pattern]) => pattern.test(name))?.[1];

/** Where a token is used, as far as style sheets tell. */
export interface TokenUses {
  /** Groups of the properties that use it. */
  groups: Set<TokenGroup>;
  /** Tokens whose values use it. */
  usedBy: Set<string>;
  /** The colour function that it is given to; undefined if it is used otherwise. */
  channels: string | undefined;
}

/** The uses of every custom property. */
export function readUses(sheets: readonly PlacedSheet[]): Map<string, TokenUses> {
  const found = new Map<string, TokenUses>();
  for (const { sheet, blocks } of sheets)
    for (const { property, nodes } of blocks.flatMap(({ declarations }) => declarations))
      for (const { name, channels } of usesIn(sheet.text, nodes)) {
        const uses = found.get(name) ?? {
          groups: new Set(),
          usedBy: new Set(),
          channels: undefined,
        };
        found.set(name, uses);
        uses.channels ??= channels;
        const group = firstMatch(BY_PROPERTY, property.toLowerCase());
        if (channels !== undefined) uses.groups.add("colour");
        else if (property.startsWith("--")) uses.usedBy.add(property);
        else if (group) uses.groups.add(group);
      }
  return found;
}

/** The group of each token: by how its value is written, by what uses it, or by Tailwind's namespace. */
export function groupTokens(
  tokens: readonly PlacedToken[],
  uses: ReadonlyMap<string, TokenUses>,
): Map<string, TokenGroup> {
  const groups = new Map<string, TokenGroup>();
  for (const { name, nodes, at, isInTheme } of tokens) {
    if (groups.has(name)) continue;
    const { text } = at.sheet;
    const group = isColour(text, nodes)
      ? "colour"
      : isFontFamily(text, nodes)
        ? "type"
        : ((isInTheme ? firstMatch(BY_NAMESPACE, name) : undefined) ??
          [...(uses.get(name)?.groups ?? [])][0] ??
          (isHslChannels(text, nodes) ? "colour" : undefined));
    if (group) groups.set(name, group);
  }
  // A token that another one is made of is for the same. Each round reaches one token further.
  for (let grown = true; grown;) {
    grown = false;
    for (const [name, { usedBy }] of uses) {
      if (groups.has(name)) continue;
      const group = [...usedBy].map((user) => groups.get(user)).find((one) => one !== undefined);
      if (!group) continue;
      groups.set(name, group);
      grown = true;
    }
  }
  return groups;
}
