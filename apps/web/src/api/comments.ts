import type { ElementAnchor, ProjectPath } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/comments${rest}`;

/** The line, element or checkpoint that a new thread is about. `text`: the line's text as the editor shows it. */
export type NewAnchor =
  | { kind: "line"; path: ProjectPath; line: number; text: string }
  | ElementAnchor
  | { kind: "checkpoint"; checkpoint: string };

/** The current line number of each thread about a line, by thread; undefined if the line no longer exists. */
export async function readLines(
  project: string,
  signal?: AbortSignal,
): Promise<Map<string, number | undefined>> {
  const { threads } = await getJson<{
    threads: { id: string; anchor: { kind: string; line?: number } }[];
  }>(apiPath(project), signal);
  return new Map(threads.map(({ id, anchor }) => [id, anchor.line]));
}

export const beginThread = (project: string, anchor: NewAnchor, text: string) =>
  sendJson<{ thread: string }>("POST", apiPath(project), { anchor, text });

export const replyTo = (project: string, thread: string, text: string) =>
  sendJson("POST", apiPath(project, `/${thread}`), { text });

export const editComment = (project: string, thread: string, comment: string, text: string) =>
  sendJson("PATCH", apiPath(project, `/${thread}/${comment}`), { text });

export const deleteComment = (project: string, thread: string, comment: string) =>
  sendJson("DELETE", apiPath(project, `/${thread}/${comment}`));

export const resolveThread = (project: string, thread: string, resolved: boolean) =>
  sendJson("PUT", apiPath(project, `/${thread}/resolved`), { resolved });

/** Sends threads to the model as one message. */
export const sendThreads = (project: string, threads: readonly string[]) =>
  sendJson("POST", apiPath(project, "/send"), { threads });
