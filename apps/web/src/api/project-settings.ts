import type { Budget, ProjectSettings, SecretEnvironment } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const at = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/settings${rest}`;

export const readProjectSettings = (project: string, signal?: AbortSignal) =>
  getJson<ProjectSettings>(at(project), signal);

export const allowHost = (project: string, host: string) =>
  sendJson<ProjectSettings>("POST", at(project, "/hosts"), { host });

export const removeHost = (project: string, host: string) =>
  sendJson<ProjectSettings>("DELETE", at(project, `/hosts/${encodeURIComponent(host)}`));

export const putSecret = (
  project: string,
  name: string,
  secret: { value: string; host?: string; environment: SecretEnvironment },
) => sendJson<ProjectSettings>("PUT", at(project, `/secrets/${encodeURIComponent(name)}`), secret);

export const removeSecret = (project: string, name: string, environment: SecretEnvironment) =>
  sendJson<ProjectSettings>(
    "DELETE",
    at(project, `/secrets/${encodeURIComponent(name)}?environment=${environment}`),
  );

export const setReach = (
  project: string,
  reach: { staticHosts?: boolean; limitPreview?: boolean },
) => sendJson<ProjectSettings>("PUT", at(project, "/reach"), reach);

export const setBudget = (project: string, budget: Budget) =>
  sendJson<ProjectSettings>("PUT", at(project, "/budget"), budget);

export const setRunsIn = (project: string, runsIn: ProjectSettings["runsIn"]) =>
  sendJson<ProjectSettings>("PUT", at(project, "/runs-in"), { runsIn });

export const setKeepsData = (project: string, keepsData: boolean) =>
  sendJson<ProjectSettings>("PUT", at(project, "/data"), { keepsData });

export const setVerdicts = (project: string, verdicts: ProjectSettings["verdicts"]) =>
  sendJson<ProjectSettings>("PUT", at(project, "/verdicts"), { verdicts });
