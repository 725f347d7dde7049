import type { LinkRole } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/access-links${rest}`;

/** A link that gives guests a role in the project. Times are milliseconds since 1970. */
export interface AccessLink {
  id: string;
  role: LinkRole;
  /** Whether guests may join without an account. */
  nameless: boolean;
  expiresAt: number;
  /** Number of times that somebody joined through the link. */
  uses: number;
}

export const accessLinksKey = (project: string) => ["access-links", project] as const;

export const readAccessLinks = async (project: string, signal?: AbortSignal) =>
  (await getJson<{ links: AccessLink[] }>(apiPath(project), signal)).links;

/** Creates a link. @returns its address; the server does not return it again */
export const makeAccessLink = async (
  project: string,
  terms: { role: LinkRole; days: number; nameless: boolean },
) => (await sendJson<{ link: string }>("POST", apiPath(project), terms)).link;

/** Replaces a link's address, so that the old one stops working. @returns the new address */
export const rotateAccessLink = async (project: string, link: string) =>
  (await sendJson<{ link: string }>("POST", apiPath(project, `/${link}/rotate`))).link;

export async function revokeAccessLink(project: string, link: string): Promise<void> {
  await sendJson("DELETE", apiPath(project, `/${link}`));
}
