import { namesIn, type Edit, type NamedPieces } from "./named-pieces.ts";
import type { GateFile } from "../types.ts";

/** A text that was decoded or assembled from another one. Its functions map an index in it to the place in the original. */
export interface Reading {
  text: string;
  at(index: number): number;
  /** Maps the end of a range, as `at` maps its start. @param index exclusive */
  until(index: number): number;
}

const QUOTE = "[\"'`]";
/** The text between two concatenated literals: in JavaScript, Python, Java, PHP, Lua, a shell. */
const JOINT = new RegExp(
  `${QUOTE}(?:(?:\\s|\\\\\\r?\\n){0,100}(?:[+&~.]|\\.\\.|\\.concat\\()(?:\\s|\\\\\\r?\\n){0,100}|[\\s\\\\]{1,100})[bfru]?${QUOTE}`,
  "g",
);
/** `["a", "b"].join("")`, and Python's `"".join(["a", "b"])`. */
const LISTS = [
  /\[([^[\]]{1,2000})\]\s{0,20}\.join\(\s{0,20}(["'`])\2\s{0,20}\)/g,
  /(?:""|'')\.join\(\s{0,20}[[(]([^[\]()]{1,2000})[\])]/g,
];
const COMMA = new RegExp(`${QUOTE}\\s{0,100},\\s{0,100}${QUOTE}`, "g");
/** A literal inside a template's placeholder. */
const INSIDE = /\$\{\s{0,4}(["'`])([^"'`\\\n${}]{0,200})\1\s{0,4}\}/g;

/** Number of characters read around a concatenation, since a variable's name precedes its value. */
const AROUND = 300;
/** Maximum length of all decoded texts of a file, in characters. */
const MOST = 4 * 1024 * 1024;

const BASE64 = /(?<![\w+/-])[\w+/-]{24,}={0,2}/g;
const HEX = /(?<![\da-f])(?:[\da-f]{2}){12,5000}(?![\da-f])/gi;
const ESCAPED = /(?:\\x[\da-f]{2}|\\u00[\da-f]{2}){8,5000}/gi;
/** `"…".split("").reverse()`, `[..."…"].reverse()`, Python's `"…"[::-1]`. */
const BACKWARDS =
  /(["'`])[\w+/=.:-]{16,500}\1(?=\s{0,20}(?:\.split\((?:""|'')\)\s{0,20}\.reverse\(|\]\s{0,20}\.reverse\(|\[::-1\]))/g;
/** `String.fromCharCode(103, 104, …)`. */
const NUMBERED =
  /(?<![\d.])(?:(?:0x)?[\da-f]{2,3}\s{0,3},\s{0,10}){15,2000}(?:0x)?[\da-f]{2,3}(?![\w.])/gi;
const IN_ADDRESS = /(?:[\w.~-]|%[\da-f]{2}){16,5000}/gi;
/** Number of base64 characters that are decoded to see whether they are text. */
const FIRST = 24;
const UTF8 = new TextDecoder("utf-8", { fatal: true });
// eslint-disable-next-line no-control-regex -- text contains no such characters
const NO_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/**
 * Returns the parts of a text that have to be joined or decoded to be read: concatenated literals
 * with the text around them, and base64, hex and escaped text. Undefined if there are none.
 * @param imported constants from other files, by their local names
 */
export function spelledOut(text: string, imported?: NamedPieces): Reading | undefined {
  const together = putTogether(text, imported).flatMap(around);
  const starts: { start: number; part: Reading }[] = [];
  let joined = "";
  for (const part of [...together, ...[asIs(text), ...together].flatMap(decoded)]) {
    if (joined.length + part.text.length > MOST) break;
    starts.push({ start: joined.length, part });
    joined += `${part.text}\n\n`;
  }
  if (starts.length === 0) return undefined;
  return {
    text: joined,
    at(index) {
      const { start, part } = starts.findLast((one) => one.start <= index)!;
      return part.at(index - start);
    },
    until(index) {
      const { start, part } = starts.findLast((one) => one.start < index)!;
      return part.until(index - start);
    },
  };
}

/** A reading that is the text itself. */
export const asIs = (text: string): Reading => ({
  text,
  at: (index) => index,
  until: (index) => index,
});

/** Joins the concatenated literals of a program, each in the result of the one before. */
function putTogether(text: string, imported?: NamedPieces): Edited[] {
  const named = edited(asIs(text), namesIn(text, imported));
  const joined = edited(named.reading, joints(named.reading.text));
  return [named, joined, edited(joined.reading, insides(joined.reading.text))];
}

/**
 * Maximum length of a program whose literals are joined to find routes, in characters; a longer one
 * is a bundle.
 */
const MOST_JOINED = 300_000;
const joinedFiles = new WeakMap<GateFile, string>();

/** The beginning of a program with joined literals, cached because it is read several times. */
export function joinedBeginning(file: GateFile): string {
  const known =
    joinedFiles.get(file) ?? putTogether(file.text.slice(0, MOST_JOINED)).at(-1)!.reading.text;
  joinedFiles.set(file, known);
  return known;
}

/** A whole program: its beginning with joined literals, followed by the unchanged rest. */
export const joinedText = (file: GateFile): string =>
  joinedBeginning(file) + file.text.slice(MOST_JOINED);

/** The edited ranges with the text around them. */
function around({ reading, places }: Edited): Reading[] {
  const parts: Reading[] = [];
  const push = (from: number, to: number) =>
    parts.push({
      text: reading.text.slice(from, to),
      at: (index) => reading.at(from + index),
      until: (index) => reading.until(from + index),
    });
  let from = -1;
  let to = -1;
  for (const place of places) {
    if (from >= 0 && place - AROUND > to) {
      push(from, to);
      from = -1;
    }
    if (from < 0) from = Math.max(0, place - AROUND);
    to = place + AROUND;
  }
  if (from >= 0) push(from, to);
  return parts;
}

const insides = (text: string): Edit[] =>
  [...text.matchAll(INSIDE)].map(({ 0: all, 2: by = "", index }) => ({
    from: index,
    to: index + all.length,
    by,
  }));

function joints(text: string): Edit[] {
  const edits = [...text.matchAll(JOINT)].map((match) => taken(match));
  for (const shape of LISTS)
    for (const { 0: all, 1: inside = "", index } of text.matchAll(shape)) {
      const start = index + all.indexOf(inside);
      edits.push(...[...inside.matchAll(COMMA)].map((match) => taken(match, start)));
    }
  return edits;
}

const taken = ({ 0: all, index }: RegExpExecArray, start = 0): Edit => ({
  from: start + index,
  to: start + index + all.length,
  by: "",
});

/** An edited text, with the positions of its edits. */
interface Edited {
  reading: Reading;
  places: number[];
}

function edited({ text, at, until }: Reading, edits: Edit[]): Edited {
  let decoded = "";
  let from = 0;
  const pieces = [{ start: 0, from: 0, to: text.length }];
  const places: number[] = [];
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    if (edit.from < from) continue;
    decoded += text.slice(from, edit.from);
    places.push(decoded.length);
    pieces.push({ start: decoded.length, from: edit.from, to: edit.to });
    decoded += edit.by;
    from = edit.to;
    pieces.push({ start: decoded.length, from, to: text.length });
  }
  decoded += text.slice(from);
  return {
    reading: {
      text: decoded,
      at(index) {
        const piece = pieces.findLast(({ start }) => start <= index)!;
        return at(Math.min(piece.from + index - piece.start, piece.to));
      },
      until(index) {
        const piece = pieces.findLast(({ start }) => start < index)!;
        return until(Math.min(piece.from + index - piece.start, piece.to));
      },
    },
    places,
  };
}

/** Decodes encoded literals. */
function decoded({ text, at, until }: Reading): Reading[] {
  const parts: Reading[] = [];
  const read = (shape: RegExp, by: (match: string) => string | undefined) => {
    for (const { 0: all, index } of text.matchAll(shape)) {
      const replacement = by(all);
      if (replacement === undefined) continue;
      parts.push({
        text: replacement,
        at: () => at(index),
        until: () => until(index + all.length),
      });
    }
  };
  read(BASE64, (match) =>
    textOf(Buffer.from(match.slice(0, FIRST), "base64")) === undefined
      ? undefined
      : textOf(Buffer.from(match, "base64")),
  );
  read(HEX, (match) => textOf(Buffer.from(match, "hex")));
  read(ESCAPED, (match) =>
    match.replace(/\\(?:x|u00)(..)/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
  );
  read(BACKWARDS, (match) => match.slice(1, -1).split("").toReversed().join(""));
  read(NUMBERED, (match) => {
    const codes = match.split(",").map((code) => Number(code));
    return codes.every((code) => code > 32 && code < 127)
      ? String.fromCharCode(...codes)
      : undefined;
  });
  read(IN_ADDRESS, (match) => {
    if (!match.includes("%")) return undefined;
    try {
      return decodeURIComponent(match);
    } catch {
      return undefined;
    }
  });
  return parts;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = UTF8.decode(bytes);
    return NO_TEXT.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
