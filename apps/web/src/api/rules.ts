import type { OwnRules, ProjectPath, ProjectRules } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const rulesPath = (project: string) => `/api/projects/${encodeURIComponent(project)}/rules`;

export const readRules = (project: string, signal?: AbortSignal) =>
  getJson<ProjectRules>(rulesPath(project), signal);

export const switchRule = (project: string, path: ProjectPath, on: boolean) =>
  sendJson<ProjectRules>("PUT", rulesPath(project), { path, on });

/** Agrees to exactly this version of a file: as it stands, or as it was before it was put back to `left`. */
export const acceptVersion = (
  project: string,
  file: { path: ProjectPath; version: string; left?: string },
) => sendJson<ProjectRules>("POST", `${rulesPath(project)}/accept`, file);

export const readOwnRules = (signal?: AbortSignal) => getJson<OwnRules>("/api/rules", signal);

export const saveOwnRules = (text: string) => sendJson<OwnRules>("PUT", "/api/rules", { text });
