import type { SourceMap } from "node:module";

/** A position in a source: line and column from 0, the source as the map names it. */
export interface MappedPlace {
  source: string;
  line: number;
  column: number;
}

/** Maximum length of a source's name, in characters. */
const MAX_NAME_CHARS = 1_024;

/**
 * The source position of a position in a built file, both with lines and columns from 0; undefined if the map has none.
 */
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
