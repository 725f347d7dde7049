import type {
  CheckpointInfo,
  CreateProject,
  Health,
  LogEntry,
  DeletedProject,
  ForkedProject,
  ProjectDetail,
  ProjectPath,
  ProjectSummary,
  SendMessage,
} from "@treadle/protocol";
import type { LinePaths } from "./line-paths.ts";
import { getJson, request, sendJson } from "./request.ts";

/** Maximum characters of one message. */
export const MAX_MESSAGE_CHARS = 200_000;

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}${rest}`;

export const readHealth = (signal?: AbortSignal) => getJson<Health>("/api/health", signal);

export interface ProjectLists {
  projects: ProjectSummary[];
  /** Projects that can still be restored. */
  deleted: DeletedProject[];
}

export const listProjects = (signal?: AbortSignal) =>
  getJson<ProjectLists>("/api/projects", signal);

export const createProject = (project: CreateProject) =>
  sendJson<{ id: string }>("POST", "/api/projects", project);

export const projectKey = (project: string) => ["project", project] as const;

export const readProject = (project: string, signal?: AbortSignal) =>
  getJson<ProjectDetail>(apiPath(project), signal);

export const changeProject = (
  project: string,
  change: { name?: string; model?: string; planModel?: string | null; archived?: boolean },
) => sendJson("PATCH", apiPath(project), change);

/** Deletes a project permanently. */
export const deleteProject = (project: string) => sendJson("DELETE", apiPath(project));
/** Deletes a project; `putProjectBack` can restore it for ten minutes. */
export const deleteWithUndo = (project: string) =>
  sendJson("DELETE", apiPath(project, "?undo=true"));
export const putProjectBack = (project: string) =>
  sendJson("POST", apiPath(project, "/put-back"), {});

export const sendMessage = (project: string, message: SendMessage) =>
  sendJson("POST", apiPath(project, "/messages"), message);

/** Withdraws a queued message. */
export const takeBackMessage = (project: string, message: string) =>
  sendJson("DELETE", apiPath(project, `/messages/${encodeURIComponent(message)}`));
/** Sends a queued message to the active run, before its next step. */
export const sendNow = (project: string, message: string) =>
  sendJson("POST", apiPath(project, `/messages/${encodeURIComponent(message)}/now`));

export const stopRun = (project: string) => sendJson("POST", apiPath(project, "/stop"));
export const continueRun = (project: string) => sendJson("POST", apiPath(project, "/continue"));
/** Looks at the project again. @param only the name of the one check to run; the others keep their results */
export const checkAgain = (project: string, only?: string) =>
  sendJson(
    "POST",
    apiPath(project, `/check${only === undefined ? "" : `?only=${encodeURIComponent(only)}`}`),
  );

/** Approves the current checks, whoever changed them, and looks at the project again. */
export const agreeChecks = (project: string, revision: string) =>
  sendJson("POST", apiPath(project, "/checks/agree"), { revision });

/** Confirms an item that only the person can judge. */
export const agreeAsked = (project: string, revision: string, what: string) =>
  sendJson("POST", apiPath(project, "/asked/agree"), { revision, what });
/** Stops the active look, but not the run that it belongs to. */
export const stopLook = (project: string) => sendJson("POST", apiPath(project, "/look/stop"));

export type ServerAction = "start" | "stop" | "restart";
export const controlServer = (project: string, action: ServerAction) =>
  sendJson("POST", apiPath(project, "/server"), { action });

/** A request to restore a checkpoint. `conversation`: also restores the conversation, to `head` or else as of then. */
export interface GoBack {
  checkpoint: string;
  conversation?: true;
  head?: string;
  /** Restores the app's databases as well. */
  data?: true;
}
export const restoreCheckpoint = (project: string, back: GoBack) =>
  sendJson("POST", apiPath(project, "/restore"), back);

export const readCheckpoints = async (project: string, signal?: AbortSignal) =>
  (await getJson<{ checkpoints: CheckpointInfo[] }>(apiPath(project, "/checkpoints"), signal))
    .checkpoints;

/** Names a checkpoint; null removes the name. */
export const nameCheckpoint = (project: string, checkpoint: string, name: string | null) =>
  sendJson("PATCH", apiPath(project, `/checkpoints/${encodeURIComponent(checkpoint)}`), { name });

/** Creates a project from a checkpoint; without one, from the current state. */
export const forkProject = (project: string, checkpoint?: string) =>
  sendJson<ForkedProject>("POST", apiPath(project, "/fork"), { checkpoint });

export interface FileChangeText {
  path: ProjectPath;
  kind: "added" | "changed" | "removed";
  binary: boolean;
  /** Unified diff; empty for files that are not text. */
  diff: string;
  /** The diff is too long and was left out. */
  cut?: true;
}

/** Reads the differences of all files, or of the file `path` alone. */
export async function readChanges(
  project: string,
  { from, to, path }: { from: string; to?: string | undefined; path?: ProjectPath | undefined },
  signal?: AbortSignal,
): Promise<FileChangeText[]> {
  const query = new URLSearchParams({ from });
  if (to !== undefined) query.set("to", to);
  if (path !== undefined) query.set("path", path);
  const body = await getJson<{ files: FileChangeText[] }>(
    apiPath(project, `/changes?${query.toString()}`),
    signal,
  );
  return body.files;
}

/** Summarises the conversation for the model; `compacted` is false if it was short enough already. */
export const compactProject = (project: string) =>
  sendJson<{ compacted: boolean }>("POST", apiPath(project, "/compact"));

export const pictureAddress = (project: string, hash: string) =>
  apiPath(project, `/pictures/${encodeURIComponent(hash)}`);

/** A PNG of a page of the running app, opened in the server's own browser. @throws ApiFailure with a sentence */
export async function pagePicture(
  project: string,
  shot: { path: string; port?: number; width: number; height: number; dark: boolean },
  signal?: AbortSignal,
): Promise<Blob> {
  const { port, ...rest } = shot;
  const query = new URLSearchParams(
    Object.entries({ ...rest, ...(port === undefined ? {} : { port }) }).map(
      ([name, value]): [string, string] => [name, String(value)],
    ),
  );
  return (await request(apiPath(project, `/page.png?${query.toString()}`), { signal })).blob();
}

export const exportAddress = (project: string) => apiPath(project, "/export.zip");

/** The downloads of a project, with their URLs. */
export const DOWNLOADS = {
  zip: exportAddress,
  everything: (project: string) => `${exportAddress(project)}?secrets=true`,
  container: (project: string) => `${exportAddress(project)}?container=true`,
  markdown: (project: string) => apiPath(project, "/conversation.md"),
  json: (project: string) => apiPath(project, "/conversation.json"),
  log: (project: string) => apiPath(project, "/log.jsonl"),
  transcript: (project: string) => apiPath(project, "/transcript.jsonl"),
} as const satisfies Record<string, (project: string) => string>;
/** The download of one folder. */
export const folderAddress = (project: string, folder: ProjectPath) =>
  `${exportAddress(project)}?under=${encodeURIComponent(folder)}`;

/**
 * The URL of the log after a sequence number, for a WebSocket and for server-sent events. From the beginning, the
 * latest turns come first.
 */
export function eventPaths(project: string, after: number): LinePaths {
  const path = apiPath(project, `/events?after=${after}${after === 0 ? "&latest=first" : ""}`);
  return { socket: path, events: path };
}

/** The complete log entries of a call that the page received shortened. */
export async function readCall(project: string, call: string): Promise<LogEntry[]> {
  const path = apiPath(project, `/calls/${encodeURIComponent(call)}`);
  return (await getJson<{ entries: LogEntry[] }>(path)).entries;
}

/** Requests an address that signs this browser in to a project's preview once. */
export const enterPreview = (
  project: string,
  place: { port: number | undefined; path: string },
): Promise<{ address: string }> =>
  sendJson("POST", `/api/projects/${encodeURIComponent(project)}/preview-pass`, place);
