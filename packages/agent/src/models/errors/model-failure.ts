import { sentence, type Message, type Sentence } from "@treadle/protocol/sentences";
import type { ErrorCode } from "@treadle/protocol";

/** Why a model call failed or its answer broke off. */
export interface ModelFailure extends Message {
  code: ErrorCode;
  /** Whether asking again may help. */
  retryable: boolean;
  /** The provider's own message, without keys; absent if there is none. */
  words?: string;
  /** The HTTP status of its response, if there was one. */
  status?: number;
  /** Set if the provider reports that this model does not accept pictures. */
  refusesPictures?: true;
  /** Milliseconds that the provider asks to wait. */
  retryAfterMs?: number;
}

/** Thrown if the stream was silent for too long. */
export class StalledError extends Error {
  readonly seconds: number;
  constructor(ms: number) {
    const seconds = Math.round(ms / 1000);
    super(`nothing for ${seconds} s`);
    this.name = "StalledError";
    this.seconds = seconds;
  }
}

/** Thrown if the stream ended without a finish reason, so it was cut. */
export class StreamCutError extends Error {
  constructor() {
    super("The model's answer broke off.");
    this.name = "StreamCutError";
  }
}

/** What is counted in an answer; `piece`: megabytes in one piece, `argument`: characters of one call. */
type AnswerUnit = "blocks" | "calls" | "megabytes" | "piece" | "argument" | "characters";

/** Thrown if the answer exceeded one of Treadle's limits, and was ended there. */
export class AnswerLimitError extends Error {
  readonly sentence: Sentence;
  constructor(count: number, unit: AnswerUnit) {
    const limit = sentence("answer-limit", { count, unit });
    super(limit.text);
    this.name = "AnswerLimitError";
    this.sentence = limit;
  }
}
