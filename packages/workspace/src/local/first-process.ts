import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * How long to wait until the kernel has ended a sandbox's processes; one may hang in a disk that
 * does not respond.
 */
const GONE_TRIES = 2_000;
const GONE_EVERY_MS = 5;

/** The process id, on this machine, of the sandbox's PID 1; undefined if there is none. */
export function firstProcess(launcher: number): number | undefined {
  const pid = firstChild(launcher);
  return pid !== undefined && runs(pid) ? pid : undefined;
}

/** The oldest running child of a process. */
export function firstChild(parent: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8");
    const pid = Number(children.trim().split(" ")[0]);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process is stopped (`SIGSTOP`). */
export function isStopped(pid: number): boolean {
  try {
    return /^State:\s+T\b/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * Waits until the sandbox's processes are gone. The kernel ends them shortly after the launcher's exit, PID 1 last. Code
 * that cleans up afterwards must not find running writers.
 */
export async function allGone(first: number | undefined): Promise<void> {
  if (first === undefined) return;
  for (let tries = 0; tries < GONE_TRIES && runs(first); tries++) await sleep(GONE_EVERY_MS);
}

const runs = (pid: number): boolean => {
  try {
    return isFirstThatRuns(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

/**
 * Whether this is the living PID 1 of a namespace. A dead one stays in the table until its parent reaps it, which PID 1
 * of a container may do late or never. But all processes of its namespace and its mounts are gone by then, because the
 * kernel waits for them before it dies.
 * @param status as in /proc/PID/status
 */
export const isFirstThatRuns = (status: string): boolean =>
  /^NSpid:.*\s1$/m.test(status) && !/^State:\s+[ZX]/m.test(status);
