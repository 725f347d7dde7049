export { quoteText } from "./cursor.ts";
export { beginningOf, dateOf, sizeOf, type Beginning } from "./beginning.ts";
export { freshValue, NEW_VALUE, withFresh } from "./fresh.ts";
export { STEP_FORMS, stepExamples, type StepForm } from "./forms.ts";
export {
  CHECKS_FILE,
  CHECKS_LENGTH,
  parseChecks,
  type Check,
  type Checks,
} from "./parse-checks.ts";
export type { CodeWatch, PageUse, PageUseRequest, PressReport, RanFile } from "./page-use.ts";
export { parseStep, parseSteps, type ParsedStep } from "./parse-step.ts";
export { lacksStep, problemWords, type CheckProblem, type StepProblem } from "./problems.ts";
export { shiftClock } from "./shift-clock.ts";
export { stepWords } from "./step-words.ts";
export { parseTarget, writeTarget, type Target } from "./target.ts";
export {
  isDemand,
  isExpectation,
  isSetting,
  PAGE_ACTS,
  PAGE_STATES,
  type PageState,
  type PageStep,
  type StyleComparison,
} from "./types.ts";
