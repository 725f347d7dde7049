export {
  CHECKS_FILE,
  CHECKS_LENGTH,
  parseChecks,
  type Check,
  type Checks,
} from "./parse-checks.ts";
export { parseStep } from "./parse-step.ts";
export { PAGE_ACTS, type PageStep } from "./types.ts";
