import { sentence, type Sentence } from "@treadle/protocol/sentences";

/** A request that cannot be answered. Its answer has `code`, and the sentence with its own code and values. */
export class ApiFailure extends Error {
  readonly status: number;
  /** What a program can act on. */
  readonly code: string;
  /** What `message` says, for readers in another language. Undefined for the words of a program. */
  readonly coded: Sentence["coded"];
  /** Further fields of the answer, beside `error`. */
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

  /** What went wrong, to be shown or logged with its code. */
  get sentence(): Sentence {
    return { text: this.message, coded: this.coded };
  }
}

/** What a request can name that does not exist. */
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
