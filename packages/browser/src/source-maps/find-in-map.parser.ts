import { SourceMap } from "node:module";
import { entryIn, type MappedPlace } from "./entry-in-map.ts";

/** Maximum number of maps that a thread keeps open. */
const MAX_MAPS = 6;

const maps = new Map<string, SourceMap>();

/**
 * Resolves a position of a built file.
 * @param id identifies the map in later calls
 * @param text the map as JSON; absent if the thread may have it already
 * @returns "unknown map" if the thread does not have it; undefined if the map names no source for the position
 * @throws if the text is not a source map
 */
export function parse(
  id: string,
  text: string | undefined,
  line: number,
  column: number,
): MappedPlace | "unknown map" | undefined {
  let map = maps.get(id);
  if (!map && text === undefined) return "unknown map";
  if (!map) {
    map = new SourceMap(JSON.parse(text!));
    maps.set(id, map);
    if (maps.size > MAX_MAPS) maps.delete(maps.keys().next().value!);
  }
  return entryIn(map, line, column);
}
