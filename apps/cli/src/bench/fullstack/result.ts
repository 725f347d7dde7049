import type { Verdict } from "@treadle/protocol";
import type { Score } from "@treadle/fullstack-bench/types";

/** What came of one task of FullStack-Bench; a line of `results.jsonl`. */
export interface FullstackResult {
  id: string;
  instruction: string;
  /** Of the run that built it; `error` where none came to an end. */
  outcome: string;
  verdict: Verdict | null;
  summary: string;
  /** The checks that the model wrote, as Treadle ran them; null where there was no look. */
  checks: { held: number; all: number } | null;
  /** The judges' rules on what was handed over; null where they could not be played, and why. */
  score: Score | null;
  scoreError?: string;
  /** Why no database directory was handed over; absent where one was. */
  databaseError?: string;
  /** Paths of pictures, below the task's log folder. */
  pictures: string[];
  steps: number;
  tokens: number;
  /** In US dollars; null where the model's price is not known. */
  costUsd: number | null;
  /** Of the build; the score has its own. */
  ms: number;
}
