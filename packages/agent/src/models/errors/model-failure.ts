import { sentence, type Message, type Sentence } from "@treadle/protocol/sentences";
import type { ErrorCode } from "@treadle/protocol";

/** Why a model call gave nothing, or stopped giving. */
export interface ModelFailure extends Message {
  code: ErrorCode;
  /** Whether asking again may help. */
  retryable: boolean;
  /** What the provider itself said, without keys; absent if it said nothing. */
  words?: string;
  /** The HTTP status of its response, if there was one. */
  status?: number;
  /** The provider says that this model reads no pictures. */
  refusesPictures?: true;
  /** Milliseconds that the provider asks us to wait. */
  retryAfterMs?: number;
}

/** The stream gave nothing for too long. */
export class StalledError extends Error {
  readonly seconds: number;
  constructor(ms: number) {
    const seconds = Math.round(ms / 1000);
    super(`nothing for ${seconds} s`);
    this.name = "StalledError";
    this.seconds = seconds;
  }
}

/** The stream ended without saying why: it was cut. */
export class StreamCutError extends Error {
  constructor() {
    super("The model's answer broke off.");
    this.name = "StreamCutError";
  }
}

/** What is counted in an answer; `piece`: megabytes in one piece, `argument`: characters of one call. */
type AnswerUnit = "blocks" | "calls" | "megabytes" | "piece" | "argument" | "characters";

/** The answer exceeded one of our limits, and was ended there. */
export class AnswerLimitError extends Error {
  readonly sentence: Sentence;
  constructor(count: number, unit: AnswerUnit) {
    const limit = sentence("answer-limit", { count, unit });
    super(limit.text);
    this.name = "AnswerLimitError";
    this.sentence = limit;
  }
}
