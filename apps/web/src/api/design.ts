import type { DesignProposal, ProjectDesign, ProjectPath, TokenEdit } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string) => `/api/projects/${encodeURIComponent(project)}/design`;

export const designKey = (project: string) => ["design", project];

export const readDesign = (project: string, signal?: AbortSignal) =>
  getJson<ProjectDesign>(apiPath(project), signal);

/** Writes values of design tokens, all or none. `before` is a checkpoint of the files before. */
export const writeDesign = (project: string, edits: readonly TokenEdit[]) =>
  sendJson<{
    design: ProjectDesign;
    before: string;
    written: { path: ProjectPath; version: string }[];
  }>("PATCH", apiPath(project), {
    edits: edits.map(({ name, mode, value }) => ({ name, mode, value })),
  });

/** Where tokens can be taken over from. */
export type DesignSource = { project: string } | { tokens: string } | { address: string };

/** Reads tokens from elsewhere; nothing is written. */
export const proposeDesign = (project: string, source: DesignSource) =>
  sendJson<DesignProposal>("POST", `${apiPath(project)}/proposals`, source);
