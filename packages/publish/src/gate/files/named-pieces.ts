import type { Imports } from "./imports.ts";
import type { GateFile } from "../types.ts";

/**
 * String constants by their names in a program: `HEAD`; `parts.head` of an object, `parts.0` of a
 * list, `parts[]` for all of it.
 */
export type NamedPieces = ReadonlyMap<string, string>;

const QUOTE = "[\"'`]";
const PIECE = "[\\w+/=.:-]{1,200}";
/** Declaration of one constant. */
const NAMED = new RegExp(
  `(?<![\\w.$])(?:(?:module\\.)?exports\\.)?([A-Za-z_]\\w{0,60})\\s{0,4}(?::\\s{0,4}\\w{1,20}\\s{0,4})?:?=\\s{0,4}(${QUOTE})(${PIECE})\\2(?=\\s{0,4}(?:as const\\s{0,4})?(?:[;,\\n]|$))`,
  "g",
);
/** Declaration of several constants, or of a module's exports: `const parts = {`, `export default [`. */
const SEVERAL =
  /(?<![\w.$])(?:(export\s{1,4}default\b|(?:module\.)?exports\s{0,4}=)|([A-Za-z_$][\w$]{0,60})\s{0,4}(?::[^=;{}\n]{0,80})?=)\s{0,4}(?:Object\.freeze\(\s{0,4})?([{[])([^{}[\]]{1,4000})[}\]]/g;
const MEMBER = new RegExp(
  `(?<![\\w.$])${QUOTE}?([A-Za-z_]\\w{0,60})${QUOTE}?\\s{0,4}:\\s{0,4}(${QUOTE})(${PIECE})\\2`,
  "g",
);
const ELEMENT = new RegExp(`(${QUOTE})(${PIECE})\\1`, "g");
const ALSO_DEFAULT =
  /(?:\bexport\s{1,4}default\s|\bmodule\.exports\s{0,4}=)\s{0,4}([A-Za-z_$][\w$]{0,60})\s{0,4}(?:;|$)/m;
/** Key of a module's default export. */
const DEFAULT = "default";
const MOST_NAMES = 500;
const MOST_JSON = 100_000;

/** Shorter names usually come from a bundler and are reused, so they count only if they are assigned once. */
const LONG_NAME = 3;
const MOST_SHORT = 100_000;
const MOST_SHORT_NAMES = 50;
const isGivenOnce = (text: string, name: string) =>
  text.length < MOST_SHORT &&
  [...text.matchAll(new RegExp(`(?<![\\w.$])${name}\\s{0,4}(?::?=(?![=>])|(?::\\s{0,4}\\w{1,20}\\s{0,4})=(?!=))|[(,]\\s{0,4}${name}\\s{0,4}(?=[,)])`, "g"))].length <= 1; // prettier-ignore

/** The string constants that a program declares. */
export function namedPieces(text: string): NamedPieces {
  const known = new Map<string, string>();
  const add = (name: string, value: string) => {
    if (known.size < MOST_NAMES) known.set(name, value);
  };
  let left = MOST_SHORT_NAMES;
  for (const [, name = "", , value = ""] of text.matchAll(NAMED))
    if (name.length >= LONG_NAME || (left-- > 0 && isGivenOnce(text, name))) add(name, value);
  const isJson = text.length < MOST_JSON && /^\s{0,100}\{/.test(text);
  if (isJson) members(DEFAULT, text);
  for (const [, declaration, called = "", bracket, inside = ""] of text.matchAll(SEVERAL)) {
    const name = declaration === undefined ? called : DEFAULT;
    if (bracket === "{") members(name, inside);
    else if (/^[\s,]*$/.test(inside.replace(ELEMENT, ""))) {
      const elements = [...inside.matchAll(ELEMENT)].map(([, , value = ""]) => value);
      for (const [at, value] of elements.entries()) add(`${name}.${at}`, value);
      add(`${name}[]`, elements.join(""));
    }
  }
  const also = ALSO_DEFAULT.exec(text)?.[1];
  if (also !== undefined)
    for (const [name, value] of known)
      if (isOf(name, also)) add(DEFAULT + name.slice(also.length), value);
  return known;

  function members(parent: string, inside: string) {
    for (const [, name = "", , value = ""] of inside.matchAll(MEMBER))
      add(`${parent}.${name}`, value);
  }
}

const isOf = (name: string, parent: string) =>
  name.startsWith(parent) && /^[.[]/.test(name.slice(parent.length));

/** Maximum length of a chain of re-exports. */
const MOST_HANDED_ON = 4;

/** The constants that files import from each other, by their local names. */
export function piecesBetween(files: readonly GateFile[], imports: Imports) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const known = new Map<string, NamedPieces>();

  /** The constants that a file exports. */
  function piecesIn(path: string, depth = 0): NamedPieces {
    const read = known.get(path);
    if (read) return read;
    const file = byPath.get(path);
    const pieces = new Map(namedPieces(file?.text ?? ""));
    // Guards against cycles of re-exports.
    known.set(path, pieces);
    if (file && depth < MOST_HANDED_ON)
      for (const one of imports.handedOn(file))
        for (const [name, value] of taken(one.name, one.there, piecesIn(one.file, depth + 1)))
          if (!pieces.has(name)) pieces.set(name, value);
    return pieces;
  }

  return (file: GateFile): NamedPieces =>
    new Map(
      imports
        .importsIn(file)
        .flatMap(({ name, there, file: from }) => taken(name, there, piecesIn(from))),
    );
}

/**
 * The constants of a module under the name that an import gives them.
 * @param name empty for a re-export of all names
 * @param there its name in the module; undefined for the whole module
 */
function taken(name: string, there: string | undefined, pieces: NamedPieces): [string, string][] {
  return [...pieces].flatMap(([piece, value]): [string, string][] => {
    if (there !== undefined)
      return piece === there || isOf(piece, there)
        ? [[name + piece.slice(there.length), value]]
        : [];
    if (name === "") return isOf(piece, DEFAULT) ? [] : [[piece, value]];
    return [
      [isOf(piece, DEFAULT) ? name + piece.slice(DEFAULT.length) : `${name}.${piece}`, value],
    ];
  });
}

const PATH = `[A-Za-z_$]\\w{0,60}(?:\\.[A-Za-z_]\\w{0,60}|\\[\\s{0,4}(?:\\d{1,3}|${QUOTE}\\w{1,60}${QUOTE})\\s{0,4}\\])?`;
const LITERAL = `${QUOTE}${PIECE}${QUOTE}`;
/** A name in a concatenation: in JavaScript and Python templates, with a plus, or in a join. */
const USED = new RegExp(
  [
    `\\$\\{\\s{0,4}(?<inside>${PATH})\\s{0,4}\\}`,
    `\\{\\s{0,4}(?<formatted>${PATH})\\s{0,4}\\}(?<=\\b[fF]["'][^"'\\n]{0,300})`,
    `(?<![\\w.$])(?<joined>[A-Za-z_$]\\w{0,60})\\.join\\(\\s{0,4}(?:""|'')\\s{0,4}\\)`,
    `(?<![\\w.$])(?<before>${PATH})(?=\\s{0,100}(?:\\+|\\.concat\\())`,
    `(?:\\+|\\.concat\\()\\s{0,100}(?!\\$\\{)(?<behind>${PATH})(?![\\w$.([])`,
  ].join("|"),
  "g",
);
/** A sequence of names that are combined: `[HEAD, TAIL].join("")`, `"%s%s" % (HEAD, TAIL)`. */
const IN_A_ROW = new RegExp(
  `[(\\[]\\s{0,50}((?:${PATH}|${LITERAL})(?:\\s{0,20},\\s{0,50}(?:${PATH}|${LITERAL})){1,7})(?=\\s{0,20},?\\s{0,50}[)\\]])`,
  "g",
);

/** A range in a text and its replacement. */
export interface Edit {
  from: number;
  to: number;
  by: string;
}

/** The replacements of names of constants in concatenations. */
export function namesIn(text: string, imported: NamedPieces = new Map()): Edit[] {
  const own = namedPieces(text);
  if (own.size + imported.size === 0) return [];
  const valueOf = (expression: string): string | undefined => {
    const name = expression.replace(/\[\s*["'`]?(\w+)["'`]?\s*\]$/, ".$1");
    return own.get(name) ?? imported.get(name);
  };
  const rows = [...text.matchAll(IN_A_ROW)].flatMap(({ 0: all, 1: row = "", index }): Edit[] => {
    const parts = row.split(",").map((part) => part.trim());
    const values = parts.map((part) => (/^["'`]/.test(part) ? part.slice(1, -1) : valueOf(part)));
    const isNamed = parts.some((part) => !/^["'`]/.test(part));
    if (!isNamed || values.includes(undefined)) return [];
    const to = index + all.length;
    return [{ from: to - row.length, to, by: `"${values.join("")}"` }];
  });
  const single = [...text.matchAll(USED)].flatMap(({ 0: all, groups = {}, index }): Edit[] => {
    const { inside, formatted, joined, before, behind } = groups;
    const value =
      joined === undefined
        ? valueOf(inside ?? formatted ?? before ?? behind ?? "")
        : valueOf(`${joined}[]`);
    if (value === undefined) return [];
    const isWithin = inside !== undefined || formatted !== undefined;
    const to = index + all.length;
    const from = behind === undefined ? index : to - behind.length;
    return [{ from, to, by: isWithin ? value : `"${value}"` }];
  });
  return [...rows, ...single];
}
