import type { Statuses } from "./git-branches.ts";
import { getJson, sendJson } from "./request.ts";

/** The repository that a project is pushed to and pulled from. */
export interface GitPlace {
  url: string;
  branch: string;
  /** Whether the person allowed an address in the server's own network. */
  local: boolean;
  /** Whether anything has been pushed or pulled yet. */
  synced: boolean;
}

/** Stored on the server, and sent to that host only. */
export interface GitLogin {
  user: string;
  password: string;
}

/** A file that both sides changed. A text is undefined if the file does not exist on that side. */
export interface Conflict {
  path: string;
  ours?: string;
  theirs?: string;
  /** Both texts with conflict markers; undefined if one side has no text. */
  merged?: string;
  binary: boolean;
}

/** The person's resolution of a conflict. */
export type Resolution = { text: string } | { take: "ours" | "theirs" };

/** The result of a pull. `seen` identifies the two sides of the conflicts. */
export type Pulled =
  | { state: "current" }
  | { state: "pulled"; files: number }
  | { state: "conflicts"; conflicts: Conflict[]; seen: string };

/** Servers on which a token can create a repository. */
export const FORGES = ["github", "gitlab", "forgejo", "gitea"] as const;
export type Forge = (typeof FORGES)[number];

export interface NewRepository {
  forge: Forge;
  name: string;
  /** Undefined uses the login that is stored for the server. */
  token?: string | undefined;
  private: boolean;
  server?: string;
  owner?: string;
  local?: true;
}

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/git${rest}`;

export const gitKey = (project: string) => ["git", project] as const;
export const loginsKey = ["git-logins"] as const;

/** The repository of a project; null if it has none. */
export const readGit = async (project: string, signal?: AbortSignal) =>
  (await getJson<{ git: GitPlace | null }>(apiPath(project), signal)).git;

export const setGit = (
  project: string,
  place: Pick<GitPlace, "url" | "branch" | "local"> & { login?: GitLogin },
) => sendJson("PUT", apiPath(project), place);

/** Creates an empty repository and sets it as the project's remote. The token stays on the server. */
export const createRepository = (project: string, { forge, ...details }: NewRepository) =>
  sendJson("POST", apiPath(project, "/create"), {
    ...details,
    // Forgejo implements Gitea's API.
    kind: forge === "forgejo" ? "gitea" : forge,
  });

/** Removes the remote from the project; the repository itself stays. */
export const forgetGit = (project: string) => sendJson("DELETE", apiPath(project));

/**
 * Pushes one commit per turn since the last push, or a single one with `squash`. @returns the number of commits pushed
 */
export const push = (project: string, squash: boolean) =>
  sendJson<{ pushed: number; statuses?: Statuses }>("POST", apiPath(project, "/push"), { squash });

/**
 * Pulls the branch. @param settled the person's resolutions of the previous pull's conflicts, which `seen` identifies
 */
export const pull = (
  project: string,
  settled?: { seen: string; resolutions: Record<string, Resolution> },
) => sendJson<Pulled>("POST", apiPath(project, "/pull"), settled);

/** Git servers with a stored login, as `host:port`. */
export const readLogins = async (signal?: AbortSignal) =>
  (await getJson<{ logins: { host: string; user: string }[] }>("/api/git/logins", signal)).logins;

const PORTS: Record<string, string> = { "https:": "443", "http:": "80", "ssh:": "443" };

/**
 * The `host:port` under which a URL's login is stored; for ssh, that of the same server's HTTPS pages. Undefined for an
 * invalid URL.
 */
export function loginHost(url: string): string | undefined {
  const address = URL.parse(url);
  if (!address) return undefined;
  const port = address.protocol === "ssh:" ? "" : address.port;
  return `${address.hostname}:${port || PORTS[address.protocol] || ""}`;
}

export const forgetLogin = (host: string) =>
  sendJson("DELETE", `/api/git/logins/${encodeURIComponent(host)}`);

/** Treadle's public SSH key; generated on the first request. */
export const readSshKey = async () => (await sendJson<{ key: string }>("POST", "/api/git/key")).key;
