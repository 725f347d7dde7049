import { parse as frontMatter } from "./front-matter.parser.ts";
import { skillOf } from "./skill-of.ts";
import type { Skill } from "./types.ts";

/**
 * Parses a `SKILL.md`.
 * @param folder the name of its folder
 */
export const parse = (text: string, folder: string): Skill | undefined =>
  skillOf(frontMatter(text), folder);
