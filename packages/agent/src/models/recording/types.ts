/** One request to a model and its answer, as plain JSON. */
export interface RecordedExchange {
  /** `step`: a step of a run; `rest`: the rest of an answer that was cut; `summary`: a summary of the conversation. */
  kind: ExchangeKind;
  request: RecordedRequest;
  answer: RecordedPart[];
}

export const EXCHANGE_KINDS = ["step", "rest", "summary"] as const;
export type ExchangeKind = (typeof EXCHANGE_KINDS)[number];

/** The request without key, address and cache marks. */
export interface RecordedRequest {
  system: string;
  /** Names, descriptions and schemas; empty if the dialect describes them in the prompt. */
  tools: unknown[];
  /**
   * Messages in the library's form, which is the same for every provider. Pictures and files are replaced by hash and
   * size.
   */
  messages: RecordedMessage[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
}

export interface RecordedMessage {
  role: string;
  content: unknown;
}

/**
 * A part of the answer's stream, with consecutive pieces of one text joined; or how the answer failed: `failed` if the
 * request was refused, `broken` if the stream was cut.
 */
export type RecordedPart = { type: string } & Record<string, unknown>;
