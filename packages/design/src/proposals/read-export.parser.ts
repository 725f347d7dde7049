import type { DesignProposal, TokenGroup } from "@treadle/protocol";
import { isTokenValue } from "../sheets/values.ts";
import { readTokenTree, type RawToken, type TokenTree } from "./token-tree.ts";
import { tokenName } from "./token-name.ts";
import { writeValue } from "./write-value.ts";

/** Problems of a token file, by the codes of their sentences. */
export type ExportProblem =
  | { code: "tokens-not-json" }
  | { code: "tokens-none" }
  | { code: "tokens-of-type"; type: string; count: number }
  | { code: "tokens-unresolved"; parts: string[]; more: number }
  | { code: "tokens-same-name"; parts: string[]; more: number }
  | { code: "themes-left-out"; parts: string[]; more: number };

export interface ReadExport {
  tokens: DesignProposal["tokens"];
  problems: ExportProblem[];
}

/** Maximum number of tokens taken from one file, and of names listed for one problem. */
const MAX_TOKENS = 400;
const MAX_NAMED = 5;

/** The group for each token type. Types without CSS custom properties of a theme are omitted. */
const GROUPS: Record<string, TokenGroup> = {
  color: "colour",
  fontFamily: "type",
  fontFamilies: "type",
  fontSize: "type",
  fontSizes: "type",
  spacing: "spacing",
  borderRadius: "radius",
  dimension: "other",
  sizing: "other",
  borderWidth: "other",
};

/**
 * Parses a token file in the Design Tokens format or exported by Tokens Studio, and resolves
 * aliases. The second theme of a Tokens Studio file becomes the dark mode.
 */
export function parse(text: string): ReadExport {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { tokens: [], problems: [{ code: "tokens-not-json" }] };
  }
  const tree = readTokenTree(json);
  const [base, second] = tree.themes;
  const read = readTheme(tree, base?.sets ?? []);
  const other = second ? readTheme(tree, second.sets) : undefined;
  const tokens = [...read.values].map(([name, { group, value }]) => {
    const dark = other?.values.get(name)?.value;
    return { name, group, values: { base: value, dark: dark === value ? undefined : dark } };
  });
  const problems: ExportProblem[] = [
    ...[...read.skipped].map(([type, count]) => ({ code: "tokens-of-type" as const, type, count })),
    ...named("tokens-unresolved", read.unresolved),
    ...named("tokens-same-name", read.repeated),
    ...named(
      "themes-left-out",
      tree.themes.slice(2).map(({ name }) => name),
    ),
  ];
  if (tokens.length === 0 && problems.length === 0) problems.push({ code: "tokens-none" });
  return { tokens, problems };
}

function named<Code extends "tokens-unresolved" | "tokens-same-name" | "themes-left-out">(
  code: Code,
  names: readonly string[],
) {
  if (names.length === 0) return [];
  return [{ code, parts: names.slice(0, MAX_NAMED), more: Math.max(0, names.length - MAX_NAMED) }];
}

function readTheme(tree: TokenTree, sets: readonly string[]) {
  const values = new Map<string, { group: TokenGroup; value: string }>();
  const skipped = new Map<string, number>();
  const unresolved: string[] = [];
  const repeated: string[] = [];
  const paths = new Map<string, string>();
  for (const [path, token] of tree.tokensOf(sets)) {
    if (values.size >= MAX_TOKENS) break;
    const resolved = resolve(tree, sets, token);
    const group =
      resolved && Object.hasOwn(GROUPS, resolved.type) ? GROUPS[resolved.type] : undefined;
    if (resolved && !group) {
      skipped.set(resolved.type, (skipped.get(resolved.type) ?? 0) + 1);
      continue;
    }
    const name = tokenName(path);
    const value = resolved && writeValue(resolved.type, resolved.value);
    if (!group || name === undefined || value === undefined || !isTokenValue(value)) {
      unresolved.push(path.join("."));
      continue;
    }
    if (values.has(name) && paths.get(name) !== path.join(".")) repeated.push(path.join("."));
    else values.set(name, { group, value });
    paths.set(name, path.join("."));
  }
  return { values, skipped, unresolved, repeated };
}

/** Maximum length of a chain of aliases, so that cycles end. */
const MAX_REFERENCES = 20;

function resolve(
  tree: TokenTree,
  sets: readonly string[],
  token: RawToken,
): { type: string; value: unknown } | undefined {
  let current: RawToken | undefined = token;
  let type = token.type;
  for (let step = 0; current && step < MAX_REFERENCES; step++) {
    type ??= current.type;
    const [, target] =
      typeof current.value === "string" ? (/^\{([^{}]+)\}$/.exec(current.value) ?? []) : [];
    if (target === undefined)
      return type === undefined ? undefined : { type, value: current.value };
    current = tree.find(sets, target);
  }
  return undefined;
}
