import type { RanFile } from "@treadle/protocol/checks";
import type { ProjectPath } from "@treadle/protocol";
import { offThread } from "@treadle/parsing";
import type { parse } from "./find-all-in-map.parser.ts";
import { placeInFile, type ReadSource } from "./place-in-file.ts";
import { fileOf, mapReference, readMap, type LoadText } from "./place-problems.ts";

/** Time limit for the map of one script, in milliseconds. */
const LIMIT_MS = 3_000;
/** Maximum number of functions resolved individually in a script without a map. */
const UNMAPPED_FUNCTIONS = 2_000;

const findAllInMap = offThread<typeof parse>(import.meta.url, "./find-all-in-map.parser.ts", {
  limitMs: LIMIT_MS,
  isCached: true,
});

/** A script that ran. */
export interface RanScript {
  /** Its address: path and query in the app, or path of a file. */
  path: string;
  /** The executed text. */
  text: string;
  /** Text and line of the enclosing page, for an inline script. */
  within?: { text: string; line: number; column: number };
  /** Offsets in `text` of its functions, including the script itself. */
  functions: readonly { start: number; end: number; ran: boolean }[];
}

/**
 * Finds a script's functions in the project's source files.
 * @param paths the files in question; others are left out
 * @param load reads separate maps
 * @param source reads the project's own files
 * @returns an entry for each of its source files; none if it was built from others
 */
export async function placeFunctions(
  { path, text, within, functions }: RanScript,
  paths: ReadonlySet<ProjectPath>,
  load: LoadText,
  source: ReadSource,
): Promise<RanFile[]> {
  const files = new Map<ProjectPath, RanFile>();
  const add = (file: string, line: number, column: number, { start, end, ran }: Offsets) => {
    if (!paths.has(file as ProjectPath)) return;
    const known = files.get(file as ProjectPath) ?? { path: file as ProjectPath, functions: [] };
    files.set(known.path, known);
    // The script as a whole ran if it was loaded.
    if (start > 0 || end < text.length) known.functions.push({ line, column, ran });
  };
  const { pathname } = new URL(path, "http://app");
  const placeOf = placesIn(text);
  const places = functions.map(({ start }) => placeOf(start));
  const reference = within ? undefined : mapReference(text);
  if (reference !== undefined) {
    const map = await readMap(reference, path, load);
    // A map may be megabytes large: one that names none of the files is not parsed.
    if (![...paths].some((one) => map.includes(one.slice(one.lastIndexOf("/") + 1)))) return [];
    const found = await findAllInMap({ lane: "source maps" }, map, places);
    for (const [index, place] of found.entries()) {
      const file = place && fileOf(place.source, pathname);
      if (file) add(file, place.line + 1, place.column, functions[index]!);
    }
    return [...files.values()];
  }
  const find = placeInFile(within?.text ?? text, decodeURI(pathname.slice(1)), source);
  for (const [index, [line, column]] of places.slice(0, UNMAPPED_FUNCTIONS).entries()) {
    const before = line === 0 ? (within?.column ?? 0) : 0;
    const place = await find(line + 1 + (within?.line ?? 0), column + before + 1);
    const [, file, at, from] = /^(.*):(\d+):(\d+)$/.exec(place ?? "") ?? [];
    if (file !== undefined) add(file, Number(at), Number(from) - 1, functions[index]!);
  }
  return [...files.values()];
}

type Offsets = RanScript["functions"][number];

/** Converts an offset to line and column, from 0. */
function placesIn(text: string): (offset: number) => readonly [line: number, column: number] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return [low, offset - starts[low]!];
  };
}
