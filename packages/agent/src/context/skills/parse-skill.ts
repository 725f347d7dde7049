import { offThread } from "@treadle/parsing";
import type { parse } from "./parse-skill.parser.ts";
import type { Skill } from "./types.ts";

/** Its front matter is YAML, of which 8,000 characters can take longer than anybody waits. */
const LIMIT_MS = 3_000;

const parseOffThread = offThread<typeof parse>(import.meta.url, "./parse-skill.parser.ts", {
  limitMs: LIMIT_MS,
  isCached: true,
});

/**
 * Reads a `SKILL.md`.
 * @param folder the name of its folder, which counts if the file gives no name
 * @returns undefined if its name is not allowed, or if it takes too long to read
 */
export const parseSkill = (text: string, folder: string): Promise<Skill | undefined> =>
  parseOffThread({ lane: "skills" }, text, folder).catch(() => undefined);
