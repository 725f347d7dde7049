import type { MissingVariables, Publication } from "@treadle/protocol";
import { ApiFailure, getJson, sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/publication${rest}`;

export const publicationKey = (project: string) => ["publication", project] as const;

/** How the project is published; null if it is not. */
export const readPublication = (project: string, signal?: AbortSignal) =>
  getJson<Publication>(apiPath(project), signal).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  });

export const publish = (project: string, name: string | undefined) =>
  sendJson<Publication>("POST", apiPath(project), { name });

export const missingVariablesKey = (project: string) => ["missing-variables", project] as const;

export const readMissingVariables = (project: string, signal?: AbortSignal) =>
  getJson<MissingVariables>(apiPath(project, "/missing-variables"), signal);

/** Adds the missing variables to the secrets of the published app. @returns the variables still missing */
export const takeMissingVariables = (project: string) =>
  sendJson<MissingVariables>("POST", apiPath(project, "/missing-variables"), {});

/** Publishes a release that was held back, on the person's decision. */
export const publishAnyway = (project: string, release: number) =>
  sendJson<Publication>("POST", apiPath(project, `/releases/${release}/anyway`), {
    by: "the page",
  });

export const reportAddress = (project: string, release: number) =>
  apiPath(project, `/releases/${release}/report.md`);

export const showRelease = (project: string, release: number) =>
  sendJson<Publication>("POST", apiPath(project, "/current"), { release });

export const setDomains = (project: string, domains: string[]) =>
  sendJson<Publication>("PUT", apiPath(project, "/domains"), { domains });

export const setAppReach = (
  project: string,
  own: { hosts: string[]; staticHosts: boolean } | null,
) => sendJson<Publication>("PUT", apiPath(project, "/reach"), { own });

export const setBrowserReports = (project: string, on: boolean) =>
  sendJson<Publication>("PUT", apiPath(project, "/browser-reports"), { on });

export const runAppJob = (project: string, name: string) =>
  sendJson<Publication>("POST", apiPath(project, `/jobs/${encodeURIComponent(name)}/run`), {});

export const restartApp = (project: string) =>
  sendJson<Publication>("POST", apiPath(project, "/restart"), {});

/** A part of a release's output; `from` continues after an earlier part. */
export const readAppLog = (
  project: string,
  release: number,
  from: number | undefined,
  signal: AbortSignal,
) =>
  getJson<{ begin: number; end: number; text: string }>(
    apiPath(project, `/log?release=${release}${from === undefined ? "" : `&from=${from}`}`),
    signal,
  );

export const appLogAddress = (project: string, release: number) =>
  apiPath(project, `/releases/${release}/log.txt`);

export const setPort = (project: string, port: "free" | "none") =>
  sendJson<Publication>("PUT", apiPath(project, "/port"), { port });

export const unpublish = (project: string) => sendJson("DELETE", apiPath(project));
