/** A wire: one provider's way to be asked and to answer. Everything between is the same for all of them. */
import type { Fault, WireName } from "../script/types.ts";
import type { Asked } from "../play/asked.ts";
import type { Plan } from "../play/types.ts";

export interface Wire {
  readonly name: WireName;
  /** Never throws; what it does not know it leaves out. */
  read(body: Record<string, unknown>): Asked;
  /** The whole stream as SSE frames, up to where the plan breaks; the break itself is the server's to make. */
  frames(plan: Plan, answer: AnswerFacts): Iterable<Frame>;
  /** The error event that this provider sends after status 200. */
  errorFrame(fault: Fault, sequence: number): string;
  /** The same answer in one JSON body. */
  unstreamed(plan: Plan, answer: AnswerFacts): Record<string, unknown>;
  refusal(fault: Fault, model: string): { status: number; body: Record<string, unknown> };
}

export interface AnswerFacts {
  /** Unique, without a prefix; the wire puts its own before it. */
  id: string;
  model: string;
  /** Seconds since 1970. */
  createdAt: number;
  includeUsage: boolean;
  usage: TokenCount;
}

export interface TokenCount {
  /** All of the input, the cached part included. */
  input: number;
  cached: number;
  output: number;
  reasoning: number;
}

export interface Frame {
  text: string;
  /** Characters of the model's own text in it: what the pace counts. */
  characters: number;
}
