import { childrenOf, type Sheet } from "../sheets/parse-sheets.ts";
import { isRootRule } from "./modes.ts";
import type { PlacedSheet } from "./placed-tokens.ts";

/** The `@import` and `@charset` statements of a sheet, which must come first. */
const importsOf = ({ tree }: Sheet) =>
  childrenOf(tree.topNode).filter(({ name }) => /^(?:Import|Charset)Statement$/.test(name));

/**
 * Chooses the style sheet that applies to the whole page: one that styles its root or imports others; among several,
 * the one with the shortest path.
 */
export function chooseStylesheet(sheets: readonly PlacedSheet[]): PlacedSheet | undefined {
  const rank = ({ file, sheet, blocks }: PlacedSheet) =>
    (blocks.some(isRootRule) || importsOf(sheet).length > 0 ? 0 : 100) +
    file.path.split("/").length;
  return sheets.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** The position for another import: after the last one. A byte-order mark stays the first character. */
export function importPlace(sheet: Sheet): number {
  const last = importsOf(sheet).at(-1);
  return last ? last.to : sheet.text.startsWith("\uFEFF") ? 1 : 0;
}

/** Whether a sheet imports Tailwind from version 4, which reads tokens from `@theme`. */
export const importsTailwind = (sheet: Sheet): boolean =>
  importsOf(sheet).some((node) => {
    const from = node.getChild("StringLiteral");
    return from && /^["']tailwindcss(?:\/|["'])/.test(sheet.text.slice(from.from, from.to));
  });
