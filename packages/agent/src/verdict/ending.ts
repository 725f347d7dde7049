import type { CodedText, RunOutcome, Verdict } from "@treadle/protocol";
import type { RunError } from "../ports/run-error.ts";

/** How a run ended. */
export interface RunEnding {
  outcome: RunOutcome;
  verdict?: Verdict;
  summary: string;
  /** What `summary` says, without the word of its verdict. */
  summaryCode?: CodedText;
  error?: RunError;
}
