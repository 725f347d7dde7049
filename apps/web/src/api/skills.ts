import type { SkillList } from "@treadle/protocol";
import { getJson } from "./request.ts";

/** @param project absent: those of all projects */
export const readSkills = (project: string | undefined, signal?: AbortSignal) =>
  getJson<SkillList>(
    project === undefined ? "/api/skills" : `/api/projects/${encodeURIComponent(project)}/skills`,
    signal,
  );
