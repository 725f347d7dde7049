import { COMMA, INDENT, KEYS } from "./keys.ts";
import type { Span, TextFile } from "./text-file.ts";

/** Lines of a file that match the requested ones with some tolerance. */
export interface LinePlace {
  lines: Span;
  /** Index of each non-blank requested line, and the matching line of the file. */
  pairs: { old: number; file: number }[];
  /** The required tolerance as an index into `KEYS`; half a step more if blank lines differ. */
  grade: number;
}

/**
 * Maximum number of comparisons in one search. Only a file with thousands of equal lines reaches
 * it, for which no match would be unique.
 */
const COMPARED_LIMIT = 200_000;

/**
 * Finds lines with the least tolerance for which `accept` takes a match. Searches from the
 * requested line that is rarest in the file, so that the cost is proportional to the matches.
 */
export function findLines(
  file: TextFile,
  searched: readonly string[],
  accept: (place: LinePlace) => boolean = () => true,
): LinePlace[] {
  for (const kind of [INDENT, COMMA]) {
    const places = findAlike(file, searched, kind).filter(accept);
    const best = places.toSorted((a, b) => a.grade - b.grade)[0];
    if (best) return places.filter(({ grade }) => grade === best.grade);
  }
  return [];
}

function findAlike(file: TextFile, searched: readonly string[], kind: number): LinePlace[] {
  const { lines, keys, where } = file.index(kind);
  const keyed = searched.map(KEYS[kind]!);
  const texts = [...searched.keys()].filter((old) => keyed[old] !== "");
  const rarest = rarestOf(texts, (old) => where.get(keyed[old]!));
  if (!rarest) return [];
  const places: LinePlace[] = [];
  const before = texts.indexOf(rarest.item);
  let compared = 0;
  for (const position of rarest.found) {
    const first = position - before;
    let same = 0;
    while (same < texts.length && keys[first + same] === keyed[texts[same]!]) same++;
    compared += same;
    if (compared > COMPARED_LIMIT) return [];
    if (same < texts.length) continue;
    const pairs = texts.map((old, index) => ({ old, file: lines[first + index]! }));
    places.push(linePlace(file, searched, pairs, kind));
  }
  return places;
}

/** The item with the fewest occurrences; undefined if one does not occur at all. */
export function rarestOf<T, F>(
  items: readonly T[],
  find: (item: T) => readonly F[] | undefined,
): { item: T; found: readonly F[] } | undefined {
  let rarest: { item: T; found: readonly F[] } | undefined;
  for (const item of items) {
    const found = find(item);
    if (!found?.length) return undefined;
    if (!rarest || found.length < rarest.found.length) rarest = { item, found };
  }
  return rarest;
}

function linePlace(
  file: TextFile,
  searched: readonly string[],
  pairs: LinePlace["pairs"],
  kind: number,
): LinePlace {
  const text = { from: pairs[0]!.file, to: pairs.at(-1)!.file + 1 };
  const from = text.from - pairs[0]!.old;
  const to = from + searched.length;
  const key = KEYS[kind]!;
  const isExact = searched.every(
    (line, index) => key(file.lines[from + index] ?? "x") === key(line),
  );
  const grade = KEYS.findIndex((keyOf) =>
    pairs.every((pair) => keyOf(file.lines[pair.file]!) === keyOf(searched[pair.old]!)),
  );
  return isExact
    ? { lines: { from, to }, pairs, grade }
    : { lines: text, pairs, grade: grade + 0.5 };
}
