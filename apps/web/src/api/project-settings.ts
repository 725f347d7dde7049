import type { Budget, ProjectSettings, SecretEnvironment } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/settings${rest}`;

export const readProjectSettings = (project: string, signal?: AbortSignal) =>
  getJson<ProjectSettings>(apiPath(project), signal);

export const allowHost = (project: string, host: string) =>
  sendJson<ProjectSettings>("POST", apiPath(project, "/hosts"), { host });

export const removeHost = (project: string, host: string) =>
  sendJson<ProjectSettings>("DELETE", apiPath(project, `/hosts/${encodeURIComponent(host)}`));

export const putSecret = (
  project: string,
  name: string,
  secret: { value: string; host?: string; environment: SecretEnvironment },
) =>
  sendJson<ProjectSettings>(
    "PUT",
    apiPath(project, `/secrets/${encodeURIComponent(name)}`),
    secret,
  );

export const removeSecret = (project: string, name: string, environment: SecretEnvironment) =>
  sendJson<ProjectSettings>(
    "DELETE",
    apiPath(project, `/secrets/${encodeURIComponent(name)}?environment=${environment}`),
  );

export const setReach = (
  project: string,
  reach: { staticHosts?: boolean; limitPreview?: boolean },
) => sendJson<ProjectSettings>("PUT", apiPath(project, "/reach"), reach);

export const setBudget = (project: string, budget: Budget) =>
  sendJson<ProjectSettings>("PUT", apiPath(project, "/budget"), budget);

export const setRunsIn = (project: string, runsIn: ProjectSettings["runsIn"]) =>
  sendJson<ProjectSettings>("PUT", apiPath(project, "/runs-in"), { runsIn });

export const setKeepsData = (project: string, keepsData: boolean) =>
  sendJson<ProjectSettings>("PUT", apiPath(project, "/data"), { keepsData });

export const setVerdicts = (project: string, verdicts: ProjectSettings["verdicts"]) =>
  sendJson<ProjectSettings>("PUT", apiPath(project, "/verdicts"), { verdicts });
