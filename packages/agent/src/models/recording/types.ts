/** One request to a model and its answer, as plain JSON. */
export interface RecordedExchange {
  /** `step`: a step of a run; `rest`: the rest of an answer that was cut; `summary`: the conversation is summed up. */
  kind: ExchangeKind;
  request: RecordedRequest;
  answer: RecordedPart[];
}

export const EXCHANGE_KINDS = ["step", "rest", "summary"] as const;
export type ExchangeKind = (typeof EXCHANGE_KINDS)[number];

/** What was sent, but for the key, the address, and what marks a prefix for the provider's cache. */
export interface RecordedRequest {
  system: string;
  /** Names, descriptions and schemas; empty where the dialect tells them in words. */
  tools: unknown[];
  /** As the library has them for every provider. Pictures and files are replaced by hash and size. */
  messages: RecordedMessage[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
}

export interface RecordedMessage {
  role: string;
  content: unknown;
}

/**
 * A part of the answer's stream, neighbouring pieces of one text joined; or how the answer failed: `failed` where the
 * request was refused, `broken` where the stream was cut.
 */
export type RecordedPart = { type: string } & Record<string, unknown>;
