import type { DesignProposal, ProjectDesign, ProjectPath, TokenEdit } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string) => `/api/projects/${encodeURIComponent(project)}/design`;

export const designKey = (project: string) => ["design", project];

export const readDesign = (project: string, signal?: AbortSignal) =>
  getJson<ProjectDesign>(apiPath(project), signal);

/** Writes values of design tokens, all or none. `before` is a checkpoint of the files as they were before. */
export const writeDesign = (project: string, edits: readonly TokenEdit[]) =>
  sendJson<{
    design: ProjectDesign;
    before: string;
    written: { path: ProjectPath; version: string }[];
  }>("PATCH", apiPath(project), {
    edits: edits.map(({ name, mode, value }) => ({ name, mode, value })),
  });

/** The sources from which tokens can be imported: another project, a token file's text, or a web page. */
export type DesignSource = { project: string } | { tokens: string } | { address: string };

/** Reads tokens from a source and proposes them; nothing is written. */
export const proposeDesign = (project: string, source: DesignSource) =>
  sendJson<DesignProposal>("POST", `${apiPath(project)}/proposals`, source);
