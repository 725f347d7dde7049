import type { ResourceUsage } from "../types.ts";
import type { ResourceLimits } from "./limits.ts";
import { measureProcesses } from "./measure-processes.ts";

/** What a sandbox takes just now, and may take. @param disk bytes, as they were measured last */
export function usageOf(
  { memory, processes, cpus, disk: most }: ResourceLimits,
  pids: readonly number[],
  disk: number | undefined,
): ResourceUsage {
  return { ...measureProcesses(pids), disk, limits: { memory, processes, cpus, disk: most } };
}
