/** What a script says: steps, the conditions under which each is played, and the parts that it is made of. */

export interface Script {
  /** Shown in error texts and model lists. */
  name: string;
  /** Tried from first to last; the first whose conditions all hold is played. */
  steps: Step[];
  /** Played when no step fits. Absent: a text that says which request had no step. */
  otherwise?: Part[];
}

export interface Step {
  name: string;
  /** All must hold. A step without any answers the request of its own place: the n-th step, the n-th turn. */
  when: Condition[];
  parts: Part[];
}

/** One piece of an answer, in the order in which it is streamed. */
export type Part =
  | { type: "say"; text: string }
  | { type: "think"; text: string }
  | { type: "call"; tool: string; input: Record<string, unknown> }
  /** A call whose arguments are sent exactly so, valid JSON or not. */
  | { type: "raw-call"; tool: string; json: string }
  | { type: "fault"; fault: Fault };

/** Where in the conversation a condition looks. */
export type Subject =
  /** Everything that came after the model's last turn: tool results and the person's messages. */
  | "news"
  /** Tool results after the model's last turn; where the request has no tools, the same as `news`. */
  | "result"
  /** What came as a user's message after the model's last turn. */
  | "message"
  /** The first user message of the conversation. */
  | "prompt"
  | "system"
  | "conversation";

export type Condition =
  | { type: "text"; subject: Subject; pattern: string | RegExp; not: boolean }
  /** `number` counts from 1: one more than the turns of the model that the request holds. */
  | { type: "turn"; number: number; orLater: boolean; not: boolean }
  /** `number` counts from 1: how often this very conversation was sent, this time included. */
  | { type: "attempt"; number: number; orLater: boolean; not: boolean }
  | { type: "tools"; not: boolean }
  /** The request holds a picture, wherever in it. */
  | { type: "pictures"; not: boolean }
  | { type: "wire"; wire: WireName; not: boolean };

export type WireName = "anthropic" | "openai-responses" | "openai-chat";

/** Refusals are answered with a status; the request then has no stream at all. */
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
 * Breaks happen in the middle of a stream. `error-event`: the provider's own error event after status 200. `reset`: the
 * socket is reset. `stall`: nothing more comes, the socket stays open. `cut`: the stream ends in good order without
 * saying why. `length`, `filter`: the provider's own finish reasons for a full output and for a filtered one.
 */
export const BREAKS = ["error-event", "reset", "stall", "cut", "length", "filter"] as const;

export type Refusal = (typeof REFUSALS)[number];
export type Break = (typeof BREAKS)[number];

export interface Fault {
  kind: Refusal | Break;
  /** Seconds, sent as `retry-after`. */
  retryAfter?: number;
  /** In place of the provider's usual status. */
  status?: number;
  /** In place of the provider's usual sentence. */
  message?: string;
  /** For breaks: after so many characters of the step, instead of at the fault's own place in it. */
  after?: number;
  /** For breaks, but `length` and `filter`: after so many bytes of the stream as it is sent, wherever that falls. */
  afterBytes?: number;
}

export function isRefusal(kind: Refusal | Break): kind is Refusal {
  return (REFUSALS as readonly string[]).includes(kind);
}
