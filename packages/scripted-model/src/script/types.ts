/** A script: steps, their conditions, and their parts. */

export interface Script {
  /** Shown in error texts and model lists. */
  name: string;
  /** Tried in order; the first whose conditions all hold is used. */
  steps: Step[];
  /** Used when no step matches. Absent: a text that says which request had no step. */
  otherwise?: Part[];
}

export interface Step {
  name: string;
  /** All must hold. A step without any answers the turn with its own number. */
  when: Condition[];
  parts: Part[];
}

/** A piece of an answer, in the order of streaming. */
export type Part =
  | { type: "say"; text: string }
  | { type: "think"; text: string }
  | { type: "call"; tool: string; input: Record<string, unknown> }
  /** A call with exactly these arguments, valid JSON or not. */
  | { type: "raw-call"; tool: string; json: string }
  | { type: "fault"; fault: Fault };

/** The text that a condition applies to. */
export type Subject =
  /** Everything after the model's last turn: tool results and the person's messages. */
  | "news"
  /** Tool results after the model's last turn; if the request has no tools, the same as `news`. */
  | "result"
  /** User messages after the model's last turn. */
  | "message"
  /** The first user message of the conversation. */
  | "prompt"
  | "system"
  | "conversation";

export type Condition =
  | { type: "text"; subject: Subject; pattern: string | RegExp; not: boolean }
  /** `number` from 1: one more than the model's turns in the request. */
  | { type: "turn"; number: number; orLater: boolean; not: boolean }
  /** `number` from 1: how often this exact conversation was sent, including this time. */
  | { type: "attempt"; number: number; orLater: boolean; not: boolean }
  | { type: "tools"; not: boolean }
  /** Whether the request contains a picture anywhere. */
  | { type: "pictures"; not: boolean }
  | { type: "wire"; wire: WireName; not: boolean };

export type WireName = "anthropic" | "openai-responses" | "openai-chat";

/** Refusals are answered with a status and without a stream. */
export const REFUSALS = [
  "rate-limited",
  "overloaded",
  "wrong-key",
  "unknown-model",
  "quota",
  "context-overflow",
  "no-pictures",
  "server-error",
  "hang-up",
] as const;

/**
 * Breaks occur in the middle of a stream. `error-event`: the provider's own error event after
 * status 200. `reset`: the socket is reset. `stall`: nothing more is sent, and the socket stays
 * open. `cut`: the stream ends normally without a finish reason. `length`, `filter`: the provider's
 * finish reasons for a full and for a filtered output.
 */
export const BREAKS = ["error-event", "reset", "stall", "cut", "length", "filter"] as const;

export type Refusal = (typeof REFUSALS)[number];
export type Break = (typeof BREAKS)[number];

export interface Fault {
  kind: Refusal | Break;
  /** Seconds, sent as `retry-after`. */
  retryAfter?: number;
  /** Replaces the provider's usual status. */
  status?: number;
  /** Replaces the provider's usual message. */
  message?: string;
  /** For breaks: after this many characters of the step, instead of at the fault's own position. */
  after?: number;
  /**
   * For breaks except `length` and `filter`: after this many bytes of the stream, wherever that is.
   */
  afterBytes?: number;
}

export function isRefusal(kind: Refusal | Break): kind is Refusal {
  return (REFUSALS as readonly string[]).includes(kind);
}
