import type { ResourceUsage } from "../types.ts";
import type { ResourceLimits } from "./limits.ts";
import { measureProcesses } from "./measure-processes.ts";

/**
 * The current usage and the limits of a sandbox.
 * @param disk the last measured size, in bytes
 */
export function usageOf(
  { memory, processes, cpus, disk: most }: ResourceLimits,
  pids: readonly number[],
  disk: number | undefined,
): ResourceUsage {
  return { ...measureProcesses(pids), disk, limits: { memory, processes, cpus, disk: most } };
}
