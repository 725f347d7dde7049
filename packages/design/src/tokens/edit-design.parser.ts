import type { TokenEdit } from "@treadle/protocol";
import { posix } from "node:path";
import { countErrors } from "../sheets/parse-sheets.ts";
import type { Span, StyleFile } from "../sheets/types.ts";
import { isTokenName, isTokenValue } from "../sheets/values.ts";
import {
  readPlacedSheets,
  readPlacedTokens,
  type PlacedSheet,
  type PlacedToken,
} from "./placed-tokens.ts";
import { chooseStylesheet, importPlace, importsTailwind } from "./stylesheet.ts";

/** Why tokens cannot be written; no file is changed then. */
export type EditRefusal =
  | { code: "bad-token-name"; name: string }
  | { code: "bad-token-value"; name: string; value: string }
  | { code: "no-such-mode"; name: string; mode: string }
  | { code: "no-stylesheet" }
  | { code: "tokens-not-writable"; name: string };

export type EditedDesign = { files: StyleFile[] } | { refused: EditRefusal };

interface Splice extends Span {
  insert: string;
}

/** New declarations by mode; they are added to the block that sets most tokens in that mode. */
type Additions = Map<string, TokenEdit[]>;

/**
 * Changes the values of tokens, and no other characters. A token that is not set in a mode is added after the last one
 * there. If no file sets any token, a new file is created, which the project's style sheet imports.
 * @returns the changed files with their new texts, or the reason why the edits are refused
 */
export function parse(files: readonly StyleFile[], edits: readonly TokenEdit[]): EditedDesign {
  const latest = new Map(edits.map((edit) => [`${edit.mode} ${edit.name}`, edit]));
  const sheets = readPlacedSheets(files);
  const placed = readPlacedTokens(sheets);
  const splices = new Map<StyleFile, Splice[]>();
  const splice = (file: StyleFile, from: number, to: number, insert: string) =>
    splices.set(file, [...(splices.get(file) ?? []), { from, to, insert }]);
  const additions: Additions = new Map();
  for (const edit of latest.values()) {
    const { name, mode, value } = edit;
    if (!isTokenValue(value)) return { refused: { code: "bad-token-value", name, value } };
    const place = placed.findLast((one) => one.name === name && one.mode === mode);
    if (place) splice(place.at.file, place.span.from, place.span.to, value);
    else if (!isTokenName(name) && !placed.some((one) => one.name === name))
      return { refused: { code: "bad-token-name", name } };
    else additions.set(mode, [...(additions.get(mode) ?? []), edit]);
  }
  const home = largestBlock(placed, "base");
  const made: StyleFile[] = [];
  if (additions.size > 0 && !home) {
    const result = makeTokenFile(files, sheets, additions);
    if ("refused" in result) return result;
    const { file, sheet, at, statement } = result;
    made.push(file);
    splice(sheet.file, at, at, statement);
  } else
    for (const [mode, added] of additions) {
      const block = largestBlock(placed, mode);
      if (block) addToBlock(block, added, splice);
      else if (mode === "dark" || mode === "light") addSystemMode(home!, mode, added, splice);
      else return { refused: { code: "no-such-mode", name: added[0]!.name, mode } };
    }
  const changed = [...splices].map(([file, list]) => ({
    path: file.path,
    text: apply(file.text, list),
  }));
  const failed = firstUnwritten(files, [...changed, ...made], [...latest.values()]);
  if (failed !== undefined) return { refused: { code: "tokens-not-writable", name: failed } };
  const before = new Map(files.map(({ path, text }) => [path, text]));
  return { files: [...changed, ...made].filter(({ path, text }) => before.get(path) !== text) };
}

type Write = (file: StyleFile, from: number, to: number, insert: string) => void;

const newlineOf = (text: string) => (text.includes("\r\n") ? "\r\n" : "\n");

/** The last token in the block that sets most tokens in a mode; undefined if there is none. */
function largestBlock(placed: readonly PlacedToken[], mode: string): PlacedToken | undefined {
  // A value within `light-dark()` has no block of its own mode.
  const own = placed.filter((one) => one.mode === mode && !isPartOfBoth(one, placed));
  const sizes = Map.groupBy(own, ({ block }) => block);
  return [...sizes.values()].toSorted((a, b) => b.length - a.length)[0]?.at(-1);
}

const isPartOfBoth = (one: PlacedToken, placed: readonly PlacedToken[]) =>
  one.mode === "dark" && placed.some((other) => other.mode === "base" && other.block === one.block);

/** Adds declarations after the last one of a block, with the same indentation. */
function addToBlock({ at, block }: PlacedToken, added: readonly TokenEdit[], write: Write): void {
  const { text, offset } = at.sheet;
  const last = block.node.getChildren("Declaration").at(-1)!;
  const next = last.nextSibling;
  const isClosed = next?.name === ";";
  const lineStart = text.lastIndexOf("\n", last.from - 1) + 1;
  const indentation = text.slice(lineStart, last.from);
  const isOwnLine = lineStart > 0 && indentation.trim() === "";
  const before = isOwnLine ? `${newlineOf(text)}${indentation}` : " ";
  const to = offset + (isClosed ? next.to : last.to);
  const lines = added.map(({ name, value }) => `${before}${name}: ${value};`).join("");
  write(at.file, to, to, `${isClosed ? "" : ";"}${lines}`);
}

/** Adds a rule for a colour scheme of the system, after the rule with the base values. */
function addSystemMode(
  { at, block }: PlacedToken,
  scheme: string,
  added: readonly TokenEdit[],
  write: Write,
): void {
  const { text, offset } = at.sheet;
  let outermost = block.node;
  while (outermost.parent?.parent) outermost = outermost.parent;
  const line = newlineOf(text);
  const to = offset + outermost.to;
  write(at.file, to, to, `${line}${line}${systemRule(scheme, added, line)}`);
}

const systemRule = (scheme: string, edits: readonly TokenEdit[], line: string) =>
  [
    `@media (prefers-color-scheme: ${scheme}) {`,
    `  :root {`,
    ...edits.map(({ name, value }) => `    ${name}: ${value};`),
    `  }`,
    `}`,
  ].join(line);

function makeTokenFile(
  files: readonly StyleFile[],
  sheets: readonly PlacedSheet[],
  additions: Additions,
):
  | { file: StyleFile; sheet: PlacedSheet; at: number; statement: string }
  | { refused: EditRefusal } {
  const sheet = chooseStylesheet(sheets);
  if (!sheet) return { refused: { code: "no-stylesheet" } };
  const other = [...additions].find(([mode]) => !["base", "dark", "light"].includes(mode));
  if (other) return { refused: { code: "no-such-mode", name: other[1][0]!.name, mode: other[0] } };
  const folder = posix.dirname(sheet.file.path);
  const name = ["tokens.css", "design-tokens.css"].find(
    (one) => !files.some(({ path }) => path === posix.join(folder, one)),
  );
  if (name === undefined) return { refused: { code: "no-stylesheet" } };
  const line = newlineOf(sheet.sheet.text);
  const head = importsTailwind(sheet.sheet) ? "@theme" : ":root";
  const base = additions.get("base") ?? [];
  const text = [
    [`${head} {`, ...base.map((one) => `  ${one.name}: ${one.value};`), "}"].join(line),
    ...[...additions]
      .filter(([mode]) => mode !== "base")
      .map(([mode, edits]) => systemRule(mode, edits, line)),
  ].join(line + line);
  const at = importPlace(sheet.sheet);
  const statement = `@import "./${name}";`;
  return {
    file: { path: posix.join(folder, name), text: text + line },
    sheet,
    at: sheet.sheet.offset + at,
    statement: at > 1 ? `${line}${statement}` : `${statement}${line}`,
  };
}

function apply(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  // Insertions at the same position keep their order.
  for (const { from, to, insert } of splices.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}

/**
 * Verifies the edits by parsing the result. @returns a token that does not have its requested value, or another one
 * that changed; undefined if all is well
 */
function firstUnwritten(
  files: readonly StyleFile[],
  changed: readonly StyleFile[],
  edits: readonly TokenEdit[],
): string | undefined {
  const key = ({ name, mode }: { name: string; mode: string }) => `${name} ${mode}`;
  const valuesOf = (all: readonly StyleFile[]) => {
    const sheets = readPlacedSheets(all);
    const values = new Map(readPlacedTokens(sheets).map((one) => [key(one), one.value]));
    return { values, errors: countErrors(sheets.map(({ sheet }) => sheet)) };
  };
  // The order of the files is kept, because later files override earlier ones.
  const texts = new Map([...files, ...changed].map(({ path, text }) => [path, text]));
  const before = valuesOf(files);
  const after = valuesOf([...texts].map(([path, text]) => ({ path, text })));
  const expected = new Map([
    ...before.values,
    ...edits.map((edit) => [key(edit), edit.value] as const),
  ]);
  if (after.errors > before.errors) return edits[0]?.name;
  for (const [id, value] of expected)
    if (after.values.get(id) !== value) return id.slice(0, id.indexOf(" "));
  return undefined;
}
