/** A request that cannot be answered, as the answer says it. `message` is a sentence for people. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  /** Further fields of the answer, beside `error`. */
  readonly more: Record<string, unknown>;
  constructor(status: number, code: string, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.name = "ApiFailure";
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

export const notFound = (what: string) =>
  new ApiFailure(404, "not-found", `There is no such ${what}.`);
