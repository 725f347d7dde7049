import { readdirSync } from "node:fs";
import { prose } from "../../text/prose.ts";
import { parseSkill } from "./parse-skill.ts";
import type { Skill } from "./types.ts";

const FOLDER = new URL("./own/", import.meta.url);

/** The skills that come with Treadle, by name; read once. */
export const OWN_SKILLS: readonly Skill[] = readdirSync(FOLDER)
  .sort()
  .flatMap((name) => parseSkill(prose(new URL(`${name}/SKILL.md`, FOLDER)), name) ?? []);
