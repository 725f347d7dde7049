import type { Verdict } from "@treadle/protocol";
import type { Score } from "@treadle/fullstack-bench/types";

/** The result of one task of FullStack-Bench, a line of `results.jsonl`. */
export interface FullstackResult {
  id: string;
  instruction: string;
  /** The outcome of the run that built it; `error` if no run finished. */
  outcome: string;
  verdict: Verdict | null;
  summary: string;
  /** The model's own checks as run by Treadle; null if there was no look. */
  checks: { held: number; all: number } | null;
  /** The results of the judges' rules on the app; null, with the reason, if they could not be applied. */
  score: Score | null;
  scoreError?: string;
  /** Why no database directory was handed over; absent if one was. */
  databaseError?: string;
  /** Paths of pictures, relative to the task's log folder. */
  pictures: string[];
  steps: number;
  tokens: number;
  /** In US dollars; null if the model's price is unknown. */
  costUsd: number | null;
  /** Duration of the build in milliseconds, without the score. */
  ms: number;
}
