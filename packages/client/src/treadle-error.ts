import type { ApiError } from "@treadle/protocol";

/** What a server refused, or that it could not be reached. `message` says what was wrong and what to do. */
export class TreadleError extends Error {
  /** A stable word for programs; `unreachable` where nobody answered. */
  readonly code: string;
  /** The HTTP status; 0 where nobody answered. */
  readonly status: number;
  constructor(code: string, message: string, status: number) {
    super(message);
    this.name = "TreadleError";
    this.code = code;
    this.status = status;
  }
}

/** The error that an answer without success tells of. */
export function errorOf(status: number, body: unknown): TreadleError {
  const { code, message } = (body as Partial<ApiError> | undefined)?.error ?? {};
  return new TreadleError(
    code ?? "failed",
    message ?? `The server answered ${status} and did not say why.`,
    status,
  );
}
