import type { ErrorCode } from "@treadle/protocol";

/** Why a model call gave nothing, or stopped giving. */
export interface ModelFailure {
  code: ErrorCode;
  /** What happened and what to do, for people. Never holds a key. */
  message: string;
  /** Whether asking again may help. */
  retryable: boolean;
  /** What the provider itself said, without keys; absent if it said nothing. */
  words?: string;
  /** The HTTP status of its answer, where there was one. */
  status?: number;
  /** The provider says that this model reads no pictures. */
  refusesPictures?: true;
  /** Milliseconds that the provider asks us to wait. */
  retryAfterMs?: number;
}

/** The stream gave nothing for too long. */
export class StalledError extends Error {
  constructor(ms: number) {
    super(`The model sent nothing for ${Math.round(ms / 1000)} seconds.`);
    this.name = "StalledError";
  }
}

/** The stream ended without saying why: it was cut. */
export class StreamCutError extends Error {
  constructor() {
    super("The model's answer broke off.");
    this.name = "StreamCutError";
  }
}

/** The answer went over a limit of ours, and was ended there. */
export class AnswerLimitError extends Error {
  /** @param limit what it had more of than is taken, such as "1,000 tool calls" */
  constructor(limit: string) {
    super(
      `The model's answer had more than ${limit}, so it was ended there. What was whole is kept. Ask for less at once, or choose another model.`,
    );
    this.name = "AnswerLimitError";
  }
}
