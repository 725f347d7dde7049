import { type Sentence } from "@treadle/protocol/sentences";
import type { CodedText, RunOutcome, Verdict } from "@treadle/protocol";
import type { RunError } from "../ports/run-error.ts";

/** How a run ended. */
export interface RunEnding {
  outcome: RunOutcome;
  verdict?: Verdict;
  summary: string;
  /** The translatable form of `summary`, without the word of its verdict. */
  summaryCode?: CodedText;
  error?: RunError;
}

/** A sentence as the summary of an ending. */
export const summaryFields = ({ text, coded }: Sentence) => ({
  summary: text,
  summaryCode: coded,
});

/** The ending of a run that an error ends. */
export const endingWith = (outcome: RunOutcome, error: RunError): RunEnding => ({
  outcome,
  summary: error.message,
  summaryCode: error.messageCode,
  error,
});
