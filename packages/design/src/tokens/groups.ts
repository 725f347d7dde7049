import type { TokenGroup } from "@treadle/protocol";
import { isColour, isFontFamily, isHslChannels, usesIn } from "../sheets/values.ts";
import type { PlacedSheet, PlacedToken } from "./placed-tokens.ts";

/** Properties, with the group of the tokens that they use. */
const BY_PROPERTY: readonly [RegExp, TokenGroup][] = [
  [/(?:^|-)color$|^(?:background|fill|stroke|box-shadow|text-shadow)$/, "colour"],
  [/^(?:font|line-height|letter-spacing|word-spacing)(?:-|$)/, "type"],
  [/radius$/, "radius"],
  [/^(?:margin|padding|gap|row-gap|column-gap|inset|top|right|bottom|left)(?:-|$)/, "spacing"],
];

/** The namespaces of Tailwind's `@theme`, with the group of their tokens. */
const BY_NAMESPACE: readonly [RegExp, TokenGroup][] = [
  [/^--color-/, "colour"],
  [/^--(?:font|text|leading|tracking)-/, "type"],
  [/^--spacing(?:-|$)/, "spacing"],
  [/^--radius(?:-|$)/, "radius"],
];

const firstMatch = (table: readonly [RegExp, TokenGroup][], name: string) =>
  table.find(([pattern]) => pattern.test(name))?.[1];

/** How style sheets use a token. */
export interface TokenUses {
  /** Groups of the properties that use it. */
  groups: Set<TokenGroup>;
  /** Tokens whose values use it. */
  usedBy: Set<string>;
  /** The colour function that receives it as numbers; undefined if there is none. */
  channels: string | undefined;
}

/** Collects the uses of every custom property. */
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

/**
 * Determines the group of each token: from the form of its value, from the properties that use it, or from Tailwind's
 * namespace.
 */
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
  // A token that another one refers to belongs to the same group. Each round follows one more reference.
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
