import type { Elsewhere, Place, TargetId } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/elsewhere${rest}`;

export const elsewhereKey = (project: string) => ["elsewhere", project] as const;

export const readElsewhere = (project: string, signal?: AbortSignal) =>
  getJson<Elsewhere>(apiPath(project), signal);

/** Stores where and with which token a target publishes the project. The token is sent to the target only. */
export const configureTarget = (
  project: string,
  target: TargetId,
  destination: { place: Place; token?: string },
) => sendJson<Elsewhere>("PUT", apiPath(project, `/${target}`), destination);

export const sendRelease = (project: string, target: TargetId, release: number) =>
  sendJson<Elsewhere>("POST", apiPath(project, `/${target}`), { release });

export const stopSending = (project: string, target: TargetId) =>
  sendJson<Elsewhere>("POST", apiPath(project, `/${target}/stop`), {});

export const forgetToken = (project: string, target: TargetId) =>
  sendJson<Elsewhere>("DELETE", apiPath(project, `/${target}/token`));
