import { sendJson } from "./request.ts";

export interface AppRequest {
  port: number;
  method: string;
  /** Path and query. */
  path: string;
  headers: (readonly [name: string, value: string])[];
  body?: string | undefined;
}

export interface AppAnswer {
  status: number;
  headers: [name: string, value: string][];
  /** The body, if it is text. */
  text?: string;
  /** Bytes of the body that were read. */
  size: number;
  /** Whether more followed than was read. */
  isCut: boolean;
  /** Milliseconds until the whole answer was there. */
  ms: number;
}

/** Sends one request to a port of the running app. */
export const askApp = (project: string, request: AppRequest) =>
  sendJson<AppAnswer>("POST", `/api/projects/${encodeURIComponent(project)}/app/requests`, request);
