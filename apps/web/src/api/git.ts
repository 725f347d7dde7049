import { getJson, sendJson } from "./request.ts";

/** The repository that a project is pushed to and pulled from. */
export interface GitPlace {
  url: string;
  branch: string;
  /** The person said that it may be of the server's own network. */
  local: boolean;
  /** Whether anything was pushed or pulled yet. */
  synced: boolean;
}

/** Kept on the server for that host alone. */
export interface GitLogin {
  user: string;
  password: string;
}

/** A file that both sides changed. A text that is absent: the file is not there on that side. */
export interface Conflict {
  path: string;
  ours?: string;
  theirs?: string;
  /** Both, with marks around what differs; absent where there is no text of both. */
  merged?: string;
  binary: boolean;
}

/** What the person made of a conflict. */
export type Resolution = { text: string } | { take: "ours" | "theirs" };

/** What a pull came to. `seen` says which two sides the conflicts are of. */
export type Pulled =
  | { state: "current" }
  | { state: "pulled"; files: number }
  | { state: "conflicts"; conflicts: Conflict[]; seen: string };

/** Servers that a repository can be made on by a token. */
export const FORGES = ["github", "gitlab", "forgejo", "gitea"] as const;
export type Forge = (typeof FORGES)[number];

export interface NewRepository {
  forge: Forge;
  name: string;
  token: string;
  private: boolean;
  server?: string;
  owner?: string;
  local?: true;
}

const at = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/git${rest}`;

export const gitKey = (project: string) => ["git", project] as const;
export const loginsKey = ["git-logins"] as const;

/** Null where there is none. */
export const readGit = async (project: string, signal?: AbortSignal) =>
  (await getJson<{ git: GitPlace | null }>(at(project), signal)).git;

export const setGit = (
  project: string,
  place: Pick<GitPlace, "url" | "branch" | "local"> & { login?: GitLogin },
) => sendJson("PUT", at(project), place);

/** Makes an empty repository and says that the project is pushed there. The token stays on the server. */
export const createRepository = (project: string, { forge, ...details }: NewRepository) =>
  sendJson("POST", at(project, "/create"), {
    ...details,
    // Forgejo has Gitea's API.
    kind: forge === "forgejo" ? "gitea" : forge,
  });

/** Nothing is changed there. */
export const forgetGit = (project: string) => sendJson("DELETE", at(project));

/** A commit for each turn since the last time, or with `squash` one for all. @returns how many commits were pushed */
export const push = async (project: string, squash: boolean) =>
  (await sendJson<{ pushed: number }>("POST", at(project, "/push"), { squash })).pushed;

/** @param settled what the person made of the conflicts of the pull before, which `seen` is of */
export const pull = (
  project: string,
  settled?: { seen: string; resolutions: Record<string, Resolution> },
) => sendJson<Pulled>("POST", at(project, "/pull"), settled);

/** Git servers that a login is kept for, as `host:port`. */
export const readLogins = async (signal?: AbortSignal) =>
  (await getJson<{ logins: { host: string; user: string }[] }>("/api/git/logins", signal)).logins;

export const forgetLogin = (host: string) =>
  sendJson("DELETE", `/api/git/logins/${encodeURIComponent(host)}`);

/** Treadle's public ssh key, made when it is first asked for. */
export const readSshKey = async () => (await sendJson<{ key: string }>("POST", "/api/git/key")).key;
