/** Attempts in copies of a project: compared, or in parallel to its own work. */
export { openComparisonList } from "./comparison-list.ts";
export { type ComparisonWork, createComparisonWork } from "./comparison-work.ts";
export { type Comparisons, createComparisons } from "./comparisons.ts";
export { createParallelRequests, type ParallelRequests } from "./parallel-requests.ts";
export type { AttemptProject, AttemptProjects, LongFile, TakenTurns } from "./ports.ts";
