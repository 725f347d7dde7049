import type { CodedText, EvidencePart, PartState, Usage, Verdict } from "@treadle/protocol";
import type { UnprovenItem } from "@treadle/protocol/evidence";
import { getJson, sendJson } from "./request.ts";

/** A commit as the list shows it. Its message and its verdict are claims of the person who pushed it. */
export interface ListedCommit {
  id: string;
  subject: string;
  author: string;
  at: number;
  verdict?: string;
  /** `here`: the server lacks it. `there`: the project lacks it. */
  side: "both" | "here" | "there";
}

/** How the project's branch compares with the repository. */
export interface Overview {
  branch: string;
  branches: { name: string; here: boolean; there: boolean }[];
  ahead: number;
  behind: number;
  /** The commits that the next push will create. An empty subject: changes by hand. */
  pending: { subject: string; verdict?: string; at?: number }[];
  commits: ListedCommit[];
}

/** Facts from which the page drafts a pull request of the current branch. */
export interface PullRequestFacts {
  kind: "github" | "gitlab" | "gitea";
  server: string;
  isSignedIn: boolean;
  /** The current branch, or a name for a new one. */
  branch: string;
  isNew: boolean;
  base: string;
  turns: { asked: string; verdict?: Verdict }[];
  verdict?: Verdict;
  summary: string;
  summaryCode?: CodedText;
  parts: { part: EvidencePart; state: PartState; summary: string; summaryCode?: CodedText }[];
  asked: { what: string; check?: string; why?: UnprovenItem["why"] }[];
  models: string[];
  usage: Usage;
  picture?: { hash: string; way: "upload" | "attach" | "branch" };
}

/** A pull request as the person edited it. */
export interface PullRequestDraft {
  title: string;
  body: string;
  base: string;
  branch: string;
  picture?: string;
}

/** The verdicts set as commit statuses: how many, and why the others could not be. */
export interface Statuses {
  set: number;
  failure?: { code: string; message: string; messageCode?: CodedText };
}

export interface OpenedPullRequest {
  address: string;
  existed: boolean;
  hasPicture: boolean;
  statuses?: Statuses;
}

/** A sign-in by the device flow. */
export interface SignIn {
  phase: "requesting" | "waiting" | "signed-in" | "cancelled" | "denied" | "expired" | "failed";
  userCode?: string;
  verificationUri?: string;
  error?: { code: string; message: string; messageCode?: CodedText };
}

const apiPath = (project: string, rest: string) =>
  `/api/projects/${encodeURIComponent(project)}/git/${rest}`;

export const overviewKey = (project: string) => ["git-overview", project] as const;
export const signInServersKey = ["git-sign-in-servers"] as const;
export const signInKey = (server: string) => ["git-sign-in", server] as const;

/** Compares the project with its repository; a POST, because the server fetches from the repository. */
export const readOverview = (project: string) =>
  sendJson<Overview>("POST", apiPath(project, "fetch"));

export const createBranch = (project: string, name: string) =>
  sendJson("POST", apiPath(project, "branches"), { name });

/** Switches the project to another branch. @returns the number of files that changed */
export const switchBranch = async (project: string, branch: string) =>
  (await sendJson<{ files: number }>("POST", apiPath(project, "switch"), { branch })).files;

export const readFacts = (project: string) =>
  getJson<PullRequestFacts>(apiPath(project, "pull-request"));

export const openPullRequest = (project: string, draft: PullRequestDraft) =>
  sendJson<OpenedPullRequest>("POST", apiPath(project, "pull-request"), draft);

/** Servers on which the person can sign in with a code. */
export const readSignInServers = async (signal?: AbortSignal) =>
  (await getJson<{ servers: string[] }>("/api/git/sign-ins", signal)).servers;

export const beginSignIn = (server: string) =>
  sendJson<SignIn>("POST", "/api/git/sign-ins", { server });

const signInPath = (server: string) => `/api/git/sign-in?${new URLSearchParams({ server })}`;

export const readSignIn = (server: string, signal?: AbortSignal) =>
  getJson<SignIn>(signInPath(server), signal);

export const cancelSignIn = (server: string) => sendJson<SignIn>("DELETE", signInPath(server));
