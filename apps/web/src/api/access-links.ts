import type { LinkRole } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/access-links${rest}`;

/** A link that gives guests a role in the project. Times are milliseconds since 1970. */
export interface AccessLink {
  id: string;
  role: LinkRole;
  /** Whether guests may come in without an account. */
  nameless: boolean;
  expiresAt: number;
  /** How often somebody came in by it. */
  uses: number;
}

export const accessLinksKey = (project: string) => ["access-links", project] as const;

export const readAccessLinks = async (project: string, signal?: AbortSignal) =>
  (await getJson<{ links: AccessLink[] }>(apiPath(project), signal)).links;

/** @returns the link's address, which is shown once */
export const makeAccessLink = async (
  project: string,
  terms: { role: LinkRole; days: number; nameless: boolean },
) => (await sendJson<{ link: string }>("POST", apiPath(project), terms)).link;

/** Gives a link another address, and returns it. */
export const rotateAccessLink = async (project: string, link: string) =>
  (await sendJson<{ link: string }>("POST", apiPath(project, `/${link}/rotate`))).link;

export const revokeAccessLink = (project: string, link: string) =>
  sendJson("DELETE", apiPath(project, `/${link}`));
