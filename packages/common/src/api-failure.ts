/** A sentence as the catalogue of the protocol writes it: English, with its code and values. */
export interface WrittenSentence {
  readonly text: string;
  readonly coded?: { readonly code: string; readonly values?: Readonly<Record<string, unknown>> };
}

/** A request that cannot be answered, as the answer says it. `message` is a sentence for people. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  /** What `message` says, for whoever shows it in another language. Absent where the words have no code. */
  readonly coded: WrittenSentence["coded"];
  /** Further fields of the answer, beside `error`. */
  readonly more: Record<string, unknown>;
  /** @param message in English, or a sentence with its code */
  constructor(
    status: number,
    code: string,
    message: string | WrittenSentence,
    more: Record<string, unknown> = {},
  ) {
    super(typeof message === "string" ? message : message.text);
    this.name = "ApiFailure";
    this.status = status;
    this.code = code;
    this.coded = typeof message === "string" ? undefined : message.coded;
    this.more = more;
  }
}

export const notFound = (what: string) =>
  new ApiFailure(404, "not-found", `There is no such ${what}.`);
