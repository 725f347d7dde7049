import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { WorkspaceError } from "../types.ts";

/** The API server refused a request. */
export class ApiFailure extends Error {
  readonly status: number;
  /** @param message what the API server says why */
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Describes why a request failed. */
function failureWords(error: unknown, server: URL): Sentence {
  if (error instanceof ApiFailure)
    return error.status === 401
      ? sentence("kubernetes-no-login")
      : sentence("kubernetes-refused", { why: error.message });
  return sentence("kubernetes-not-answering", {
    server: server.host,
    why: (error as NodeJS.ErrnoException).code ?? (error as Error).message,
  });
}

/**
 * The failure of a request as an error of a workspace; one that already is stays as it is.
 * @param attempt the sentence about what was attempted
 */
export const apiError = (
  error: unknown,
  server: URL,
  attempt: "sandbox-not-started" | "sandbox-unavailable" = "sandbox-not-started",
): WorkspaceError =>
  error instanceof WorkspaceError
    ? error
    : new WorkspaceError("sandbox", sentence(attempt, { why: failureWords(error, server) }));
