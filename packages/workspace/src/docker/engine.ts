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
 * @param act the attempted action, as in "could not …"
 */
export function engineError(act: string, error: unknown): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const { code, message, statusCode } = error as NodeJS.ErrnoException & { statusCode?: number };
  const words =
    code === "EACCES"
      ? "this user may not use Docker; add it to the docker group"
      : code !== undefined && UNREACHABLE.has(code)
        ? "Docker does not answer; start Docker, then try again"
        : message;
  const text = statusCode === undefined ? words : words.replace(/^\(HTTP code \d+\) /, "");
  return new WorkspaceError("sandbox", `${act}: ${text}`);
}
