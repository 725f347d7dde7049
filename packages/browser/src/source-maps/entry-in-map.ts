import type { SourceMap } from "node:module";

/** A place in a source: line and column from 0, the source as the map names it. */
export interface MappedPlace {
  source: string;
  line: number;
  column: number;
}

/** Characters of a source's name. */
const MAX_NAME_CHARS = 1_024;

/** The place that a map names for one of a built file, lines and columns from 0; undefined if it names none. */
export function entryIn(map: SourceMap, line: number, column: number): MappedPlace | undefined {
  const entry = map.findEntry(line, column);
  if (!("originalSource" in entry)) return undefined;
  const { originalSource: source, originalLine, originalColumn } = entry;
  if (typeof source !== "string" || source === "" || source.length > MAX_NAME_CHARS)
    return undefined;
  if (!Number.isSafeInteger(originalLine) || !Number.isSafeInteger(originalColumn))
    return undefined;
  return { source, line: originalLine, column: originalColumn };
}
