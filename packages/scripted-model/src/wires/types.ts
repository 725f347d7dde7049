/** A wire format: one provider's requests and responses. Everything in between is shared. */
import type { Fault, WireName } from "../script/types.ts";
import type { Asked } from "../play/asked.ts";
import type { Plan } from "../play/types.ts";

export interface Wire {
  readonly name: WireName;
  /** Never throws; ignores what it does not know. */
  read(body: Record<string, unknown>): Asked;
  /** The whole stream as SSE frames, up to the plan's break, which the server performs. */
  frames(plan: Plan, answer: AnswerFacts): Iterable<Frame>;
  /** The provider's error event after status 200. */
  errorFrame(fault: Fault, sequence: number): string;
  /** The same answer as one JSON body. */
  unstreamed(plan: Plan, answer: AnswerFacts): Record<string, unknown>;
  refusal(fault: Fault, model: string): { status: number; body: Record<string, unknown> };
}

export interface AnswerFacts {
  /** Unique, without the prefix that the format adds. */
  id: string;
  model: string;
  /** Seconds since 1970. */
  createdAt: number;
  includeUsage: boolean;
  usage: TokenCount;
}

export interface TokenCount {
  /** The whole input, including the cached part. */
  input: number;
  cached: number;
  output: number;
  reasoning: number;
}

export interface Frame {
  text: string;
  /** Characters of the model's text in it, which determine the pace. */
  characters: number;
}
