import { readFileSync } from "node:fs";

/**
 * The resources of processes as the kernel reports them: bytes of anonymous and shared memory, and threads.
 * @returns undefined if none of them can be read
 */
export function measureProcesses(
  pids: readonly number[],
): { memory: number; processes: number } | undefined {
  let [memory, processes] = [0, 0];
  for (const pid of pids) {
    const status = statusOf(pid);
    if (status === undefined) continue;
    memory += 1_024 * (field(status, "RssAnon") + field(status, "RssShmem"));
    processes += field(status, "Threads");
  }
  return processes > 0 ? { memory, processes } : undefined;
}

/** Undefined if the process has exited. */
function statusOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return undefined;
  }
}

const field = (status: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
