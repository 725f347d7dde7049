export {
  CHECKS_FILE,
  CHECKS_LENGTH,
  parseChecks,
  type Check,
  type Checks,
} from "@treadle/protocol/checks";
