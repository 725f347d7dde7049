import type { StepEvent } from "@treadle/protocol";
import type { StepRecord } from "../answer/step-record.ts";
import type { Budget } from "../budget/budget.ts";
import { noUsage } from "../budget/usage.ts";
import type { RunScope } from "../ports/run-scope.ts";

type Finish = (StepEvent & { type: "step-end" })["finish"];

/** Tells that a step begins, and counts it. */
export function startStep(budget: Budget, { run, emit }: RunScope): void {
  emit({ type: "step-start", run, step: ++budget.steps });
}

/** Tells the end of the step that goes on. */
export function endStep(
  { steps }: Budget,
  finish: Finish,
  { usage = noUsage(), context }: Partial<StepRecord>,
  { run, emit }: RunScope,
): void {
  emit({
    type: "step-end",
    run,
    step: steps,
    finish,
    usage,
    ...(context ? { context } : {}),
  });
}

/** How a step ended whose answer came to its end. */
export function finishOf({ finish, calls }: StepRecord): Finish {
  if (finish === "length") return "length";
  if (finish === "content-filter") return "filter";
  if (finish === "error") return "error";
  return calls.length > 0 ? "tool-calls" : "stop";
}
