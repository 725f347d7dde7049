import { offThread } from "@treadle/parsing";
import type { parse } from "./read-outline.parser.ts";
import type { Outline } from "./types.ts";

/** The parser itself stops sooner; this ends what it does with a tree that it has read. */
const LIMIT_MS = 3_000;

const parseOffThread = offThread<typeof parse>(import.meta.url, "./read-outline.parser.ts", {
  limitMs: LIMIT_MS,
});

/** What a file defines. A file that takes too long, or of a kind that is not known, gives the reason. */
export const readOutline = (path: string, text: string): Promise<Outline> =>
  parseOffThread({ lane: "outlines" }, path, text).catch(() => ({
    ok: false,
    why: "its syntax could not be understood in time",
  }));
