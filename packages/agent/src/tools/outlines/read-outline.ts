import { offThread } from "@treadle/parsing";
import type { parse } from "./read-outline.parser.ts";
import type { Outline } from "./types.ts";

/** The parser itself stops sooner; this limits the work after it, in milliseconds. */
const LIMIT_MS = 3_000;

const parseOffThread = offThread<typeof parse>(import.meta.url, "./read-outline.parser.ts", {
  limitMs: LIMIT_MS,
});

/**
 * Returns the definitions in a file. A file that takes too long, or an unknown kind, gives the
 * reason.
 */
export const readOutline = (path: string, text: string): Promise<Outline> =>
  parseOffThread({ lane: "outlines" }, path, text).catch(() => ({
    ok: false,
    why: "its syntax could not be understood in time",
  }));
