import type { ParallelRequest, StartParallel } from "@treadle/protocol";
import { sendJson } from "./request.ts";

const apiPath = (project: string, rest = "") =>
  `/api/projects/${encodeURIComponent(project)}/parallel${rest}`;

export const startParallel = (project: string, request: StartParallel) =>
  sendJson<ParallelRequest>("POST", apiPath(project), request);

/** The actions on a parallel request. `take` merges a request that was held back, unchanged; `redo` runs it again. */
export type ParallelAction = "stop" | "take" | "redo";

export const changeParallel = (project: string, request: string, action: ParallelAction) =>
  sendJson("POST", apiPath(project, `/${encodeURIComponent(request)}/${action}`));

export const discardParallel = (project: string, request: string) =>
  sendJson("DELETE", apiPath(project, `/${encodeURIComponent(request)}`));
