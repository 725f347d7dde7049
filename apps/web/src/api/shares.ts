import type { ForkedProject, NewShare, Share, Shares } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/shares${rest}`;

export const sharesKey = (project: string) => ["shares", project] as const;

export const readShares = (project: string, signal?: AbortSignal) =>
  getJson<Shares>(apiPath(project), signal);

export const makeShare = (project: string, asked: NewShare) =>
  sendJson<Share>("POST", apiPath(project), asked);

export const revokeShare = (project: string, share: string) =>
  sendJson("DELETE", apiPath(project, `/${encodeURIComponent(share)}`));

/** Creates a project from a shared conversation. */
export const forkShared = (share: string) =>
  sendJson<ForkedProject>("POST", `/api/shares/${encodeURIComponent(share)}/fork`, {});
