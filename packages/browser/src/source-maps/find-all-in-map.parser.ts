import { SourceMap } from "node:module";
import { entryIn, type MappedPlace } from "./entry-in-map.ts";

/** Maximum number of positions resolved at once. */
const MAX_PLACES = 20_000;

/**
 * Resolves many positions of a built file.
 * @param text the map as JSON
 * @param places line and column of each, from 0
 * @returns one for each of the first 20,000; null if the map names no source for it
 * @throws if the text is not a source map
 */
export function parse(
  text: string,
  places: readonly (readonly [line: number, column: number])[],
): (MappedPlace | null)[] {
  const map = new SourceMap(JSON.parse(text));
  return places.slice(0, MAX_PLACES).map(([line, column]) => entryIn(map, line, column) ?? null);
}
