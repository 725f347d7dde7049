import type { IncomingMessage, ServerResponse } from "node:http";
import type { OwnScript } from "@treadle/browser";

/** Answers with one of the gateway's own scripts. Its address changes with its content, so it can be cached forever. */
export function answerScript(
  request: IncomingMessage,
  response: ServerResponse,
  own: OwnScript,
): void {
  const gzip = /\bgzip\b/.test(String(request.headers["accept-encoding"]));
  response.writeHead(200, {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "private, max-age=31536000, immutable",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
    ...(gzip ? { "content-encoding": "gzip" } : {}),
  });
  response.end(gzip ? own.gzip : own.script);
}
