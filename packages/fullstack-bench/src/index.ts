/** FullStack-Bench's judges on this machine. */
export { createJudge, type Judge } from "./create-judge.ts";
export { startJudgesPostgres } from "./judges-postgres.ts";
export type { RuleCode, RuleResult, Score, ScoreRequest } from "./types.ts";
