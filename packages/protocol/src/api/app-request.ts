/** A request to a port of the running app, as a person writes it. */
export interface AppRequest {
  port: number;
  method: string;
  /** Path and query. */
  path: string;
  headers: [name: string, value: string][];
  body?: string | undefined;
}

/** The answer of the app. */
export interface AppAnswer {
  status: number;
  headers: [name: string, value: string][];
  /** The body, if it is text. */
  text?: string;
  /** Bytes of the body that were read. */
  size: number;
  /** Whether more followed than was read. */
  isCut: boolean;
  /** Milliseconds until the whole answer was there. */
  ms: number;
}
