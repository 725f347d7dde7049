import type { ParallelRequest, StartParallel } from "@treadle/protocol";
import { sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/parallel${rest}`;

export const startParallel = (project: string, request: StartParallel) =>
  sendJson<ParallelRequest>("POST", apiPath(project), request);

/** What can be done with a parallel request; `take` merges one that is held as it is, `redo` does it anew. */
export type ParallelAction = "stop" | "take" | "redo";

export const changeParallel = (project: string, request: string, action: ParallelAction) =>
  sendJson("POST", apiPath(project, `/${encodeURIComponent(request)}/${action}`));

export const discardParallel = (project: string, request: string) =>
  sendJson("DELETE", apiPath(project, `/${encodeURIComponent(request)}`));
