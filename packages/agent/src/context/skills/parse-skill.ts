import { offThread } from "@treadle/parsing";
import type { parse } from "./parse-skill.parser.ts";
import type { Skill } from "./types.ts";

/**
 * Limit for parsing, in milliseconds: even 8,000 characters of hostile YAML can take arbitrarily
 * long.
 */
const LIMIT_MS = 3_000;

const parseOffThread = offThread<typeof parse>(import.meta.url, "./parse-skill.parser.ts", {
  limitMs: LIMIT_MS,
  isCached: true,
});

/**
 * Parses a `SKILL.md`.
 * @param folder the name of its folder, used if the file gives no name
 * @returns undefined if its name is not allowed, or if parsing takes too long
 */
export const parseSkill = (text: string, folder: string): Promise<Skill | undefined> =>
  parseOffThread({ lane: "skills" }, text, folder).catch(() => undefined);
