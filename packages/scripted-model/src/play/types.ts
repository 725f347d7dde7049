/** A step prepared for streaming in one response. */
import type { Fault } from "../script/types.ts";

export interface Plan {
  pieces: Piece[];
  ending: Ending;
  /** The last piece was cut in the middle. */
  open: boolean;
  /** Breaks the stream of an otherwise complete answer. */
  severed?: { fault: Fault; bytes: number };
  /** Approximate number of characters per delta. */
  deltaSize: number;
}

export type Piece =
  | { type: "say"; text: string }
  | { type: "think"; text: string }
  /** `json`: the arguments as text. */
  | { type: "call"; id: string; tool: string; json: string };

export type Ending = { type: "finish"; reason: FinishReason } | { type: "break"; fault: Fault };

export type FinishReason = "stop" | "tool-calls" | "length" | "filter";

/** A step answered with a status instead of a stream. */
export interface RefusedPlan {
  refused: Fault;
}
