import { readdirSync } from "node:fs";
import { prose } from "../../text/prose.ts";
import { fieldsByLine, splitFrontMatter } from "./front-matter.ts";
import { skillOf } from "./skill-of.ts";
import type { Skill } from "./types.ts";

const FOLDER = new URL("./own/", import.meta.url);

/** The skills that come with Treadle, by name; loaded once. */
export const OWN_SKILLS: readonly Skill[] = readdirSync(FOLDER)
  .sort()
  .flatMap((name) => {
    const { block = "", body } = splitFrontMatter(prose(new URL(`${name}/SKILL.md`, FOLDER)));
    return skillOf({ fields: fieldsByLine(block), body }, name) ?? [];
  });
