import { z } from "zod";
import { sentence } from "@treadle/protocol/sentences";
import { OWN_SKILLS } from "../context/skills/own-skills.ts";
import { projectSkills } from "../context/skills/project-skills.ts";
import type { Skill } from "../context/skills/types.ts";
import { fence } from "../text/fence.ts";
import { prose } from "../text/prose.ts";
import { defineTool, done, refused } from "./tool.ts";

const PROJECT_SKILL = prose(new URL("./project-skill.md", import.meta.url));

/**
 * Shows a skill's text. The person's own take precedence over Treadle's, and both over the
 * project's.
 */
export const useSkill = defineTool({
  name: "use_skill",
  description: prose(new URL("./use-skill.md", import.meta.url)),
  input: z.object({ name: z.string() }),
  async execute({ name }, { workspace, personSkills = [], isAccepted }) {
    const requested = name.trim().toLowerCase();
    const trusted = [...personSkills, ...OWN_SKILLS];
    const found = named(trusted, requested);
    if (found) return done(sentence("read-skill", { skill: found.name }), found.body);
    const theirs = await projectSkills(workspace, isAccepted);
    const brought = named(theirs, requested);
    if (brought)
      return done(
        sentence("read-skill", { skill: brought.name }),
        `${PROJECT_SKILL}\n${fence("project-skill", brought.body)}`,
      );
    const names = [...new Set([...trusted, ...theirs].map((skill) => skill.name))].join(", ");
    return refused(
      sentence("no-skill", { skill: requested }),
      `There is no such skill. There are: ${names}.`,
    );
  },
});

const named = (skills: readonly Skill[], name: string) =>
  skills.find((skill) => skill.name === name);
