import { randomUUID } from "node:crypto";
import { offThread, ParserFailure } from "@treadle/parsing";
import type { MappedPlace } from "./entry-in-map.ts";
import type { parse } from "./find-in-map.parser.ts";

/** An opened source map. */
export interface OpenMap {
  /**
   * Lines and columns from 0. Returns undefined if the map has no entry for the position, cannot be
   * read, or takes too long. Never rejects.
   */
  find(line: number, column: number): Promise<MappedPlace | undefined>;
}

/** Time limit for one query, including parsing the map, in milliseconds. */
const LIMIT_MS = 3_000;

const findInMap = offThread<typeof parse>(import.meta.url, "./find-in-map.parser.ts", {
  limitMs: LIMIT_MS,
});

/**
 * Opens a source map in a separate thread, since parsing one may take seconds and hundreds of
 * megabytes (A107).
 */
export function openMap(text: string): OpenMap {
  const id = randomUUID();
  const options = { lane: "source maps" };
  let isHopeless = false;
  return {
    async find(line, column) {
      if (isHopeless) return undefined;
      try {
        const place = await findInMap(options, id, undefined, line, column);
        if (place !== "unknown map") return place;
        const read = await findInMap(options, id, text, line, column);
        return read === "unknown map" ? undefined : read;
      } catch (error) {
        // A map that timed out is not tried again for each line of a stack.
        isHopeless = error instanceof ParserFailure && error.isPermanent;
        return undefined;
      }
    },
  };
}
