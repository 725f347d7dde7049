import type { AppAnswer, AppRequest } from "@treadle/protocol";
import { sendJson } from "./request.ts";

/** Sends one request to a port of the running app. */
export const askApp = (project: string, request: AppRequest) =>
  sendJson<AppAnswer>("POST", `/api/projects/${encodeURIComponent(project)}/app/requests`, request);
