import { childrenOf, type Sheet } from "../sheets/parse-sheets.ts";
import { isRootRule } from "./modes.ts";
import type { PlacedSheet } from "./placed-tokens.ts";

/** The statements of a sheet that only others of their kind may precede. */
const importsOf = ({ tree }: Sheet) =>
  childrenOf(tree.topNode).filter(({ name }) => /^(?:Import|Charset)Statement$/.test(name));

/**
 * The style sheet that holds for the whole page: one that styles its root or imports others, the nearest to the project's
 * own folder.
 */
export function chooseStylesheet(sheets: readonly PlacedSheet[]): PlacedSheet | undefined {
  const rank = ({ file, sheet, blocks }: PlacedSheet) =>
    (blocks.some(isRootRule) || importsOf(sheet).length > 0 ? 0 : 100) +
    file.path.split("/").length;
  return sheets.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Where a further import can stand: behind the last one. A byte-order mark stays the first character. */
export function importPlace(sheet: Sheet): number {
  const last = importsOf(sheet).at(-1);
  return last ? last.to : sheet.text.startsWith("\uFEFF") ? 1 : 0;
}

/** Whether a sheet imports Tailwind 4, which reads tokens from `@theme`. */
export const importsTailwind = (sheet: Sheet): boolean =>
  importsOf(sheet).some((node) => {
    const from = node.getChild("StringLiteral");
    return from && /^["']tailwindcss(?:\/|["'])/.test(sheet.text.slice(from.from, from.to));
  });
