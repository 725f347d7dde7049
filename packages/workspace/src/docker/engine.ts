import { asSentence, sentence } from "@treadle/protocol/sentences";
import Docker from "dockerode";
import { WorkspaceError } from "../types.ts";

export type Engine = Docker;

/**
 * @param socketPath default: from `DOCKER_HOST`, or the engine's usual path
 * @param timeout milliseconds without a response after which a request fails; default: none
 */
export const connectEngine = (socketPath?: string, timeout?: number): Engine =>
  new Docker({ ...(socketPath !== undefined && { socketPath }), ...(timeout && { timeout }) });

const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ENOENT",
  "EACCES",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
]);

/**
 * Describes a failure of the engine so that a person can fix it. Nothing is ever run elsewhere instead.
 * @param attempt the sentence about what was attempted
 */
export function engineError(
  attempt: "sandbox-not-started" | "sandbox-unavailable",
  error: unknown,
): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const { code, message, statusCode } = error as NodeJS.ErrnoException & { statusCode?: number };
  const why =
    code === "EACCES"
      ? sentence("docker-not-allowed")
      : code !== undefined && UNREACHABLE.has(code)
        ? sentence("docker-not-answering")
        : asSentence(
            statusCode === undefined ? message : message.replace(/^\(HTTP code \d+\) /, ""),
          );
  return new WorkspaceError("sandbox", sentence(attempt, { why }));
}
