import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { AnsweredRequest } from "@treadle/telemetry";

/** A request as an operator's log names it. */
export interface LoggedRequest extends AnsweredRequest {
  /** The request's `x-request-id` if it is valid, otherwise a new id. */
  id: string;
  /** The path without the query, which may contain a token. */
  path: string;
}

const REQUEST_ID = /^[\w.-]{8,128}$/;

/** Calls `onRequest` for each answered request, and gives the answer the request's id. */
export function watchRequests(onRequest: (request: LoggedRequest) => void): MiddlewareHandler {
  return async (c, next) => {
    const start = performance.now();
    const given = c.req.header("x-request-id") ?? "";
    const id = REQUEST_ID.test(given) ? given : randomUUID();
    await next();
    c.res.headers.set("x-request-id", id);
    onRequest({
      id,
      method: c.req.method,
      route: routePath(c, -1),
      path: c.req.path,
      status: c.res.status,
      ms: performance.now() - start,
    });
  };
}
