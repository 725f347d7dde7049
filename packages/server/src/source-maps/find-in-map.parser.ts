import { SourceMap } from "node:module";

/** A place in a source: line and column from 0, the source as the map names it. */
export interface MappedPlace {
  source: string;
  line: number;
  column: number;
}

/** Maps that a thread holds open at a time. */
const MAX_MAPS = 6;
/** Characters of a source's name. */
const MAX_NAME_CHARS = 1_024;

const maps = new Map<string, SourceMap>();

/**
 * Finds where a place of a built file was written.
 * @param id names the map in later calls
 * @param text the map as JSON; absent if the thread may have it already
 * @returns "unknown map" if the thread does not have it; undefined if the map names no source for the place
 * @throws if the text is no source map
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
  const entry = map.findEntry(line, column);
  if (!("originalSource" in entry)) return undefined;
  const { originalSource: source, originalLine, originalColumn } = entry;
  if (typeof source !== "string" || source === "" || source.length > MAX_NAME_CHARS)
    return undefined;
  if (!Number.isSafeInteger(originalLine) || !Number.isSafeInteger(originalColumn))
    return undefined;
  return { source, line: originalLine, column: originalColumn };
}
