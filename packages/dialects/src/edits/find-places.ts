import { findLines, rarestOf } from "./find-lines.ts";
import { INDENT } from "./keys.ts";
import { type Span, type TextFile, wordsOf } from "./text-file.ts";

/** One place where an edit matches. */
export interface Place {
  characters: Span;
  /** Complete lines that only match with tolerance; absent for an exact match. */
  loose?: {
    lines: Span;
    /** Each non-blank line of the old text, by index, and the matching line of the file. */
    pairs: { old: number; file: number }[];
  };
}

/**
 * Finds the places where the old text matches, by the first kind of tolerance with a match. Returns
 * several, which the caller may reject. Parts of words do not match, unless `all` are requested.
 * `unescape`: the old text only matches without its backslashes.
 */
export function findPlaces(
  file: TextFile,
  old: string,
  all: boolean,
): { places: Place[]; unescape?: (text: string) => string } {
  for (const unescape of [undefined, unescapeQuotes, unescapeAll]) {
    const plain = unescape ? unescape(old) : old;
    if (unescape && plain === old) continue;
    const exact = findText(file, plain, all);
    const places = exact.length > 0 ? exact : findLoosely(file, plain);
    if (places.length > 0) return { places, unescape };
  }
  return { places: [] };
}

const unescapeQuotes = (text: string): string => text.replace(/\\(['"`$])/g, "$1");

const unescapeAll = (text: string): string =>
  text.replace(/\\([nrt'"`$\\])/g, (_, code: string) =>
    code === "n" ? "\n" : code === "t" ? "\t" : code === "r" ? "" : code,
  );

/** Maximum number of overlapping matches: a repeated character would take quadratic time. */
const OVERLAPS = 1_000;

/**
 * Number of searches through the whole file after which its words are indexed, as the index costs
 * about as much.
 */
const SEARCHES = 64;

/** Includes overlapping matches, since the intended one is unknown. */
function findText(file: TextFile, old: string, all: boolean): Place[] {
  const places: Place[] = [];
  // A file with mixed line endings keeps its carriage returns, so both spellings are searched.
  const spellings = file.isMixed ? [old, old.replaceAll("\n", "\r\n")] : [old];
  for (const spelled of new Set(spellings))
    for (const from of startsOf(file, spelled)) {
      const to = from + spelled.length;
      if (
        all ||
        !(
          CUTS_WORD.test(file.text.slice(from - 1, from + 1)) ||
          CUTS_WORD.test(file.text.slice(to - 1, to + 1))
        )
      )
        // prettier-ignore
        places.push({ characters: { from, to } });
    }
  return places;
}

/** Two characters within a word: `30` does not match in `300`, nor `count` in `discount`. */
const CUTS_WORD = /[\w$]{2}/;

function startsOf(file: TextFile, old: string): number[] {
  const { text, lines } = file;
  const parts = old.split("\n");
  const starts: number[] = [];
  const take = (from: number) => {
    if (from >= 0 && text.startsWith(old, from)) starts.push(from);
  };
  // Complete lines of the old text: the rarest one in the file gives the candidates.
  const inner = [...parts.keys()].slice(1, -1).filter((part) => parts[part]!.trim() !== "");
  if (inner.length > 0) {
    const { where, lines: numbers } = file.index(INDENT);
    const rarest = rarestOf(inner, (part) => where.get(parts[part]!.trim()));
    if (!rarest) return [];
    const before = parts.slice(0, rarest.item).join("\n").length + 1;
    for (const position of rarest.found) take(file.startOf(numbers[position]!) - before);
    return starts;
  }
  const first = parts[0]!;
  const words = file.searches++ < SEARCHES ? [] : innerWords(first, parts.length > 1);
  if (words.length > 0) {
    for (const line of rarestOf(words, (word) => file.linesWith(word))?.found ?? []) {
      const start = file.startOf(line);
      for (let at = -1; (at = lines[line]!.indexOf(first, at + 1)) !== -1;) take(start + at);
    }
    return starts;
  }
  for (let at = text.indexOf(old); at !== -1;) {
    starts.push(at);
    at = text.indexOf(old, at + (starts.length < OVERLAPS ? 1 : old.length));
  }
  return starts;
}

/**
 * Words that must occur in the file if the text does; those at its ends may be parts of longer
 * ones.
 */
function innerWords(text: string, endsLine: boolean): string[] {
  const words = wordsOf(text);
  if (/^[\p{L}\p{N}_$]/u.test(text)) words.shift();
  if (!endsLine && /[\p{L}\p{N}_$]$/u.test(text)) words.pop();
  return words;
}

/** Complete lines that match with tolerance. */
function findLoosely(file: TextFile, old: string): Place[] {
  const endsLine = old.endsWith("\n");
  const searched = (endsLine ? old.slice(0, -1) : old).split("\n");
  return findLines(file, searched).map(({ lines, pairs }) => {
    const next = file.startOf(lines.to);
    const last = file.lines[lines.to - 1]!;
    const to =
      endsLine && lines.to < file.lines.length ? next : next - 1 - (last.endsWith("\r") ? 1 : 0);
    return { characters: { from: file.startOf(lines.from), to }, loose: { lines, pairs } };
  });
}
