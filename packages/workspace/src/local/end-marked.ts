import { setTimeout as sleep } from "node:timers/promises";
import { processesOfWorkspace } from "../guest/process-table.ts";

/** Time limit for ending a workspace's processes; one may hang in a disk that does not respond. */
const LIMIT_MS = 5_000;
const EVERY_MS = 10;
/**
 * How many looks in a row have to find nothing: a process that is just starting a program has no environment for a
 * moment.
 */
const EMPTY_LOOKS = 2;

/**
 * Ends every process of a workspace without a sandbox, by its mark, after its guest has exited. Resolves when none is
 * left, or after five seconds.
 */
export async function endMarked(mark: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (let empty = 0; empty < EMPTY_LOOKS && performance.now() < deadline;) {
    const left = processesOfWorkspace(mark);
    // Stopped first, because each that is killed alone leaves the others time to start more.
    for (const name of ["SIGSTOP", "SIGKILL"] as const) for (const pid of left) signal(pid, name);
    empty = left.length === 0 ? empty + 1 : 0;
    await sleep(EVERY_MS);
  }
}

/** Sends a signal; does nothing if the process has exited meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}
