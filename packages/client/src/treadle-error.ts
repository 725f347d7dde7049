import type { ApiError } from "@treadle/protocol";

/** A server's refusal, or that it was unreachable. `message` says what was wrong and what to do. */
export class TreadleError extends Error {
  /** A stable code for programs; `unreachable` if nobody answered. */
  readonly code: string;
  /** The HTTP status; 0 if nobody answered. */
  readonly status: number;
  constructor(code: string, message: string, status: number) {
    super(message);
    this.name = "TreadleError";
    this.code = code;
    this.status = status;
  }
}

/** The error for an unsuccessful response. */
export function errorOf(status: number, body: unknown): TreadleError {
  const { code, message } = (body as Partial<ApiError> | undefined)?.error ?? {};
  return new TreadleError(
    code ?? "failed",
    message ?? `The server answered ${status} and did not say why.`,
    status,
  );
}
