/** What is going to be streamed: a step made ready for one request. */
import type { Fault } from "../script/types.ts";

export interface Plan {
  pieces: Piece[];
  ending: Ending;
  /** The last piece was broken off in its middle. */
  open: boolean;
  /** Breaks the stream of an answer that is whole but for that. */
  severed?: { fault: Fault; bytes: number };
  /** About how many characters one delta holds. */
  deltaSize: number;
}

export type Piece =
  | { type: "say"; text: string }
  | { type: "think"; text: string }
  /** `json` is the arguments as text. */
  | { type: "call"; id: string; tool: string; json: string };

export type Ending = { type: "finish"; reason: FinishReason } | { type: "break"; fault: Fault };

export type FinishReason = "stop" | "tool-calls" | "length" | "filter";

/** A step that is answered with a status instead of a stream. */
export interface RefusedPlan {
  refused: Fault;
}
