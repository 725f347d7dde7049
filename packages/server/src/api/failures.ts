import { McpError } from "@treadle/agent";
import { StoreError, type StoreErrorCode } from "@treadle/store";
import { WorkspaceError, type WorkspaceErrorCode } from "@treadle/workspace";
import { HTTPException } from "hono/http-exception";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { diskFailure } from "../common/disk-failure.ts";
import { COMMON_HEADERS } from "@treadle/common";

const WORKSPACE: Record<WorkspaceErrorCode, number> = {
  path: 400,
  missing: 404,
  exists: 409,
  "not-a-file": 400,
  "not-a-folder": 400,
  conflict: 409,
  "too-large": 413,
  "no-space": 507,
  "read-only": 403,
  port: 502,
  stopped: 503,
  sandbox: 503,
  full: 503,
  failed: 500,
};

const STORE: Record<StoreErrorCode, number> = {
  "not-writable": 507,
  full: 507,
  corrupt: 500,
  newer: 500,
  busy: 503,
  failed: 500,
  unreachable: 503,
  address: 500,
  unmoved: 500,
  occupied: 500,
  moved: 500,
  "not-owner": 503,
};

/** Converts a thrown value to a response: always JSON with a sentence, never a stack trace. */
export function answerFor(error: unknown, onNotice: (text: string) => void): Response {
  const failure = failureOf(error, onNotice);
  const { status, code, message, coded: messageCode, more } = failure;
  return Response.json(
    { error: { code, message, messageCode }, ...more },
    { status, headers: { ...COMMON_HEADERS, "cache-control": "no-store" } },
  );
}

/**
 * Converts a thrown value to a failure. An unexpected one is reported with its stack, and becomes 500 `internal`.
 */
export function failureOf(error: unknown, onNotice: (text: string) => void): ApiFailure {
  if (error instanceof ApiFailure) return error;
  if (error instanceof WorkspaceError) {
    const more = error.version === undefined ? {} : { version: error.version };
    return new ApiFailure(WORKSPACE[error.code], error.code, error.sentence, more);
  }
  if (error instanceof McpError)
    return new ApiFailure(
      409,
      `mcp-${error.code}`,
      sentence("server-failed", { why: error.sentence }),
    );
  if (error instanceof StoreError)
    return new ApiFailure(STORE[error.code], `store-${error.code}`, error.sentence);
  if (error instanceof HTTPException)
    return new ApiFailure(error.status, "bad-request", misread(error.status));
  const disk = diskFailure(error);
  if (disk) return disk;
  onNotice(
    `A request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return new ApiFailure(500, "internal", sentence("internal"));
}

/** The message for a body that the library rejected before the route ran. */
function misread(status: number): Sentence {
  if (status === 415) return sentence("body-not-json");
  return sentence(status === 400 ? "body-malformed" : "request-unreadable");
}
