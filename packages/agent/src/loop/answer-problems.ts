import type { StepRecord } from "../answer/step-record.ts";
import type { RunError } from "../ports/run-error.ts";
import { CUT_ANSWERS, MALFORMED_STEPS } from "./limits.ts";

export const TOO_LONG: RunError = {
  code: "output-limit",
  message:
    "The model reached its output limit before its answer was whole, and going on did not help. Ask for less at once, or choose another model.",
  canContinue: true,
};
const MALFORMED: RunError = {
  code: "loop",
  message:
    "The model's tool calls could not be understood several times in a row. Choose another model or dialect.",
  canContinue: true,
};
const FILTERED: RunError = {
  code: "provider-refused",
  message: "The provider's content filter stopped the answer.",
  canContinue: true,
};

/** Counts answers in a row that came to nothing. */
export function createAnswerProblems(): {
  /** Why the run cannot go on after this answer, if it cannot. Asked about each answer once. */
  in(record: StepRecord): RunError | undefined;
} {
  let cut = 0;
  let malformed = 0;
  return {
    in({ finish, calls }) {
      malformed = isMalformed(calls) ? malformed + 1 : 0;
      if (malformed >= MALFORMED_STEPS) return MALFORMED;
      cut = finish === "length" ? cut + 1 : 0;
      // Words that were not gone on with are no answer; of a call that was cut, the model is told what to do.
      if (cut > CUT_ANSWERS || (cut > 0 && calls.length === 0)) return TOO_LONG;
      return finish === "content-filter" ? FILTERED : undefined;
    },
  };
}

function isMalformed(calls: StepRecord["calls"]): boolean {
  return calls.length > 0 && calls.every(({ invalid }) => invalid !== undefined);
}
