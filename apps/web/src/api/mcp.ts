import type { McpOffers, McpOverview, McpPromptText, McpServerInfo } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

/** The API path of a project's tool servers. @param project undefined for the servers of all projects */
const apiPath = (project: string | undefined, rest = "") =>
  project === undefined
    ? `/api/mcp${rest}`
    : `/api/projects/${encodeURIComponent(project)}/mcp${rest}`;

const serverPath = (project: string | undefined, name: string, rest = "") =>
  apiPath(project, `/${encodeURIComponent(name)}${rest}`);

/** Where a server of a project's list is changed: in the project, or, if undefined, for all projects. */
const serversPath = (project: string | undefined, { scope }: McpServerInfo) =>
  scope === "global" ? undefined : project;

export const readMcp = (project: string | undefined, signal?: AbortSignal) =>
  getJson<McpOverview>(apiPath(project), signal);

export const saveMcp = (project: string | undefined, text: string) =>
  sendJson<McpOverview>("PUT", apiPath(project), { text });

export const changeMcp = (
  project: string | undefined,
  server: McpServerInfo,
  change: { enabled?: boolean; trusted?: boolean },
) => sendJson("PATCH", serverPath(serversPath(project, server), server.name), change);

export const removeMcp = (project: string | undefined, server: McpServerInfo) =>
  sendJson("DELETE", serverPath(serversPath(project, server), server.name));

export const restartMcp = (project: string | undefined, { name, scope }: McpServerInfo) =>
  sendJson("POST", serverPath(project, name, "/restart"), { scope });

export const allowMcp = (
  project: string | undefined,
  { name, scope }: McpServerInfo,
  permission: { tool?: string; allowed: boolean },
) => sendJson("POST", serverPath(project, name, "/allow"), { scope, ...permission });

export const acceptMcp = (project: string, digest: string) =>
  sendJson("POST", `/api/projects/${encodeURIComponent(project)}/mcp-accept`, { digest });

/** The sign-in URL; undefined if already signed in. */
export const signInMcp = (project: string | undefined, server: McpServerInfo) =>
  sendJson<{ address?: string }>(
    "POST",
    serverPath(serversPath(project, server), server.name, "/sign-in"),
    {
      scope: server.scope,
    },
  );

export const endSignIn = (parameters: { code: string; state: string; issuer?: string }) =>
  sendJson("POST", "/api/mcp-sign-in", parameters);

/** Prompts and resources of the project's servers. @param start whether to start servers that are not running */
export const readOffers = (project: string, start: boolean, signal?: AbortSignal) => {
  const path = `/api/projects/${encodeURIComponent(project)}/mcp-offers`;
  return start ? sendJson<McpOffers>("POST", path, {}) : getJson<McpOffers>(path, signal);
};

/** Completions for an argument of a prompt. */
export const completeArgument = async (
  project: string,
  server: string,
  request: {
    prompt: string;
    argument: { name: string; value: string };
    values: Record<string, string>;
  },
) =>
  (await sendJson<{ values: string[] }>("POST", serverPath(project, server, "/complete"), request))
    .values;

/** Fetches a prompt with its arguments filled in by its server. */
export const fillPrompt = (
  project: string,
  server: string,
  prompt: string,
  values: Record<string, string>,
) => sendJson<McpPromptText>("POST", serverPath(project, server, "/prompt"), { prompt, values });
