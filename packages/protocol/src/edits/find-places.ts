import type { EditDocument, Span } from "./document.ts";
import { findRuns } from "./find-runs.ts";
import { type KeyKind, lineKey } from "./keys.ts";

/** One place where an edit fits. */
export interface Place {
  characters: Span;
  /** Whole lines that fit only with forgiveness; absent where the text stands exactly so. */
  loose?: {
    lines: Span;
    /** Line of the file for each line of the old text that is not blank. */ pairs: Pair[];
  };
}

/** A line of the old text (its index) and the line of the file that it fits. */
export interface Pair {
  old: number;
  file: number;
}

/** Old text as lines, and what the new text has to undergo with it. */
interface Wanted {
  lines: string[];
  endsLine: boolean;
}

/**
 * The places where the old text fits, by the first kind of forgiveness that finds any. More than one is told too: it is
 * for the caller to refuse. `unescaped` says that the old text fits only without its backslashes.
 */
export function findPlaces(
  document: EditDocument,
  old: string,
): { places: Place[]; unescape?: (text: string) => string } {
  const exact = findText(document, old);
  if (exact.length > 0) return { places: exact };
  const places = findForgivingly(document, old);
  if (places.length > 0) return { places };
  for (const unescape of [unescapeQuotes, unescapeAll]) {
    const plain = unescape(old);
    if (plain === old) continue;
    const found = findText(document, plain);
    const forgiven = found.length > 0 ? found : findForgivingly(document, plain);
    if (forgiven.length > 0) return { places: forgiven, unescape };
  }
  return { places: [] };
}

const unescapeQuotes = (text: string): string => text.replace(/\\(['"`$])/g, "$1");

const unescapeAll = (text: string): string =>
  text.replace(/\\([nrt'"`$\\])/g, (_, code: string) =>
    code === "n" ? "\n" : code === "t" ? "\t" : code === "r" ? "" : code,
  );

function findText(document: EditDocument, old: string): Place[] {
  const places: Place[] = [];
  // Lines that the old text has whole: asking for them is cheaper than a search through the file.
  const whole = old.split("\n").slice(1, -1);
  if (!whole.every((line) => document.mayHave("exact", line))) return places;
  const { text } = document;
  // Overlapping places count: which of them was meant cannot be known.
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1))
    places.push({ characters: { from: at, to: at + old.length } });
  return places;
}

function findForgivingly(document: EditDocument, old: string): Place[] {
  const endsLine = old.endsWith("\n");
  const lines = (endsLine ? old.slice(0, -1) : old).split("\n");
  if (lines.every((line) => line.trim() === "")) return [];
  const wanted = { lines, endsLine };
  for (const kind of ["trailing", "indent"] as const) {
    const places = findLines(document, wanted, kind);
    if (places.length > 0) return places;
  }
  for (const kind of ["indent", "loose", "comma"] as const) {
    const places = findNonBlankLines(document, wanted, kind);
    if (places.length > 0) return places;
  }
  return [];
}

function findLines(document: EditDocument, { lines, endsLine }: Wanted, kind: KeyKind): Place[] {
  const wanted = lines.map(lineKey[kind]);
  if (!wanted.every((key) => document.mayHave(kind, key))) return [];
  return findRuns(document.keys(kind), wanted).map((from) => {
    const pairs = lines.map((_, index) => ({ old: index, file: from + index }));
    return placeOf(document, { from, to: from + lines.length }, pairs, endsLine);
  });
}

/** As `findLines`, where the old text may lack blank lines of the file, or have some of its own. */
function findNonBlankLines(
  document: EditDocument,
  { lines, endsLine }: Wanted,
  kind: KeyKind,
): Place[] {
  const keys = document.keys(kind);
  const inFile = indicesOfText(keys);
  const inOld = indicesOfText(lines.map(lineKey[kind]));
  const runs = findRuns(
    inFile.map((index) => keys[index]!),
    inOld.map((index) => lineKey[kind](lines[index]!)),
  );
  return runs.map((run) => {
    const pairs = inOld.map((old, index) => ({ old, file: inFile[run + index]! }));
    const span = { from: pairs[0]!.file, to: pairs.at(-1)!.file + 1 };
    return placeOf(document, span, pairs, endsLine);
  });
}

function indicesOfText(keys: readonly string[]): number[] {
  return keys.flatMap((key, index) => (key === "" ? [] : [index]));
}

function placeOf(document: EditDocument, lines: Span, pairs: Pair[], endsLine: boolean): Place {
  const characters = document.charactersOf(lines);
  if (endsLine && characters.to < document.length) characters.to++;
  const texts = pairs.filter(({ file }) => document.lines[file]!.trim() !== "");
  return { characters, loose: { lines, pairs: texts } };
}
