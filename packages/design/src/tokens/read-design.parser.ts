import type { DesignMode, DesignToken } from "@treadle/protocol";
import type { StyleFile } from "../sheets/types.ts";
import { isHslChannels, usesIn } from "../sheets/values.ts";
import { groupTokens, readUses } from "./groups.ts";
import { readPlacedSheets, readPlacedTokens } from "./placed-tokens.ts";
import { readPairs } from "./read-pairs.ts";
import { chooseStylesheet } from "./stylesheet.ts";

/** The tokens of a project's files. */
export interface ReadDesign {
  tokens: DesignToken[];
  modes: DesignMode[];
  /** Paths of the files that set tokens. */
  files: string[];
  /** The style sheet that should import a new token file. */
  stylesheet: string | undefined;
}

/** Maximum number of tokens read from a project. */
const MAX_TOKENS = 400;

const modeKind = (id: string): DesignMode["kind"] =>
  id === "base" ? "base" : id === "dark" || id === "light" ? "system" : "selector";

/** Reads the design tokens that style sheets set. */
export function parse(files: readonly StyleFile[]): ReadDesign {
  const sheets = readPlacedSheets(files);
  const placed = readPlacedTokens(sheets);
  const uses = readUses(sheets);
  const groups = groupTokens(placed, uses);
  const tokens = new Map<string, DesignToken>();
  for (const { name, mode, value, nodes, at, isInTheme } of placed) {
    const token = tokens.get(name) ?? { name, group: groups.get(name) ?? "other", values: {} };
    if (!tokens.has(name) && tokens.size >= MAX_TOKENS) continue;
    tokens.set(name, token);
    token.values[mode] = value;
    const [use] = usesIn(at.sheet.text, nodes);
    // Tailwind's `--color-card: var(--card)` only gives a token another name.
    if (isInTheme && use?.isAlone) token.aliasOf = use.name;
    if (isHslChannels(at.sheet.text, nodes)) token.channels = uses.get(name)?.channels ?? "hsl";
  }
  const colours = [...tokens.values()].filter(({ group }) => group === "colour");
  const pairs = readPairs(
    sheets,
    colours.map(({ name }) => name),
  );
  for (const token of colours) token.on = pairs.get(token.name);
  const ids = new Set(["base", ...placed.map(({ mode }) => mode)]);
  return {
    tokens: [...tokens.values()],
    modes: [...ids].map((id) => ({ id, kind: modeKind(id) })),
    files: [...new Set(placed.map(({ at }) => at.file.path))],
    stylesheet: chooseStylesheet(sheets)?.file.path,
  };
}
