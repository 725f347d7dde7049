import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/** A script that the gateway inserts into pages. */
export interface OwnScript {
  script: string;
  /** The script, compressed. */
  gzip: Buffer;
  /** `'sha256-…'`, for a content security policy. */
  hash: string;
  /** Changes with the script, since browsers cache it. */
  version: string;
  /** Attributes of its script element. */
  attributes: string;
}

/** A script as the gateway serves it. */
export function packScript(script: string): OwnScript {
  const digest = createHash("sha256").update(script).digest();
  return {
    script,
    gzip: gzipSync(script, { level: 9 }),
    hash: `'sha256-${digest.toString("base64")}'`,
    version: digest.toString("hex").slice(0, 8),
    attributes: ` integrity="sha256-${digest.toString("base64")}"`,
  };
}

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
