export { formatBuildResult, STDERR_TAIL } from "./format.ts";
export type {
  BuildReport,
  FormatBuildResultOptions,
  VisualProblem,
  VisualReport,
} from "./types.ts";
