import { sentence, type Sentence } from "@treadle/protocol/sentences";

/**
 * A request that cannot be fulfilled. Its response has `code`, and the sentence with its own code
 * and values.
 */
export class ApiFailure extends Error {
  readonly status: number;
  /** A code for programs. */
  readonly code: string;
  /** The code of `message` for other languages. Undefined for the output of a program. */
  readonly coded: Sentence["coded"];
  /** Further fields of the response, beside `error`. */
  readonly more: Record<string, unknown>;
  constructor(
    status: number,
    code: string,
    { text, coded }: Sentence,
    more: Record<string, unknown> = {},
  ) {
    super(text);
    this.name = "ApiFailure";
    this.status = status;
    this.code = code;
    this.coded = coded;
    this.more = more;
  }

  /** The message with its code, to be shown or logged. */
  get sentence(): Sentence {
    return { text: this.message, coded: this.coded };
  }
}

/** Things a request can name that do not exist. */
type Missing =
  | "project"
  | "server"
  | "publication"
  | "release"
  | "address"
  | "link"
  | "terminal"
  | "picture"
  | "file"
  | "checkpoint"
  | "thread"
  | "comment"
  | "comparison"
  | "question"
  | "database"
  | "copy"
  | "job"
  | "target"
  | "app"
  | "signIn"
  | "request"
  | "person"
  | "team";

export const notFound = (what: Missing) =>
  new ApiFailure(404, "not-found", sentence("not-found", { what }));
