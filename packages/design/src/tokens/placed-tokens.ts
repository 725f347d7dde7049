import type { SyntaxNode } from "@lezer/common";
import { readBlocks, type Block } from "../sheets/declarations.ts";
import { parseSheets, type Sheet } from "../sheets/parse-sheets.ts";
import type { Span, StyleFile } from "../sheets/types.ts";
import { lightAndDark } from "../sheets/values.ts";
import { isThemeBlock, modeOf } from "./modes.ts";

/** A style sheet of a project, with its blocks. */
export interface PlacedSheet {
  file: StyleFile;
  sheet: Sheet;
  blocks: Block[];
}

/** A value of a token, and where it is written. */
export interface PlacedToken {
  name: string;
  mode: string;
  /** Its range in the file. */
  span: Span;
  value: string;
  nodes: SyntaxNode[];
  at: PlacedSheet;
  block: Block;
  isInTheme: boolean;
}

export const readPlacedSheets = (files: readonly StyleFile[]): PlacedSheet[] =>
  files.flatMap((file) =>
    parseSheets(file).map((sheet) => ({ file, sheet, blocks: readBlocks(sheet) })),
  );

/**
 * All values that a project sets for its whole page, in the order of files and lines; later ones override earlier ones.
 */
export function readPlacedTokens(sheets: readonly PlacedSheet[]): PlacedToken[] {
  const none: ReadonlySet<string> = new Set();
  const base = new Set(
    sheets
      .flatMap(({ blocks }) => blocks)
      .filter((block) => modeOf(block, none) === "base")
      .flatMap(({ declarations }) => declarations.map(({ property }) => property))
      .filter((property) => property.startsWith("--")),
  );
  return sheets.flatMap((at) =>
    at.blocks.flatMap((block) => {
      const mode = modeOf(block, base);
      return mode === undefined ? [] : tokensIn(at, block, mode);
    }),
  );
}

function tokensIn(at: PlacedSheet, block: Block, mode: string): PlacedToken[] {
  const { text, offset } = at.sheet;
  return block.declarations.flatMap(({ property, value, nodes }) => {
    if (!property.startsWith("--")) return [];
    const placed = (inMode: string, { from, to }: Span): PlacedToken => ({
      name: property,
      mode: inMode,
      span: { from: offset + from, to: offset + to },
      value: text.slice(from, to),
      nodes,
      at,
      block,
      isInTheme: isThemeBlock(block),
    });
    const both = mode === "base" ? lightAndDark(text, nodes) : undefined;
    return both ? [placed("base", both.light), placed("dark", both.dark)] : [placed(mode, value)];
  });
}
