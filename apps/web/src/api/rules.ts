import type { OwnRules, ProjectPath, ProjectRules } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const rulesPath = (project: string) => `/api/projects/${encodeURIComponent(project)}/rules`;

export const readRules = (project: string, signal?: AbortSignal) =>
  getJson<ProjectRules>(rulesPath(project), signal);

export const switchRule = (project: string, path: ProjectPath, on: boolean) =>
  sendJson<ProjectRules>("PUT", rulesPath(project), { path, on });

/** Approves exactly this version of a file: the current one, or the one before it was restored to `left`. */
export const acceptVersion = (
  project: string,
  file: { path: ProjectPath; version: string; left?: string },
) => sendJson<ProjectRules>("POST", `${rulesPath(project)}/accept`, file);

export const readOwnRules = (signal?: AbortSignal) => getJson<OwnRules>("/api/rules", signal);

export const saveOwnRules = (text: string) => sendJson<OwnRules>("PUT", "/api/rules", { text });
