import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** For the kernel to end what ran in a sandbox; what hangs in a disk that does not answer is not waited for longer. */
const GONE_TRIES = 2_000;
const GONE_EVERY_MS = 5;

/** The first process of the sandbox's own namespace, as this machine counts; undefined where there is none. */
export function firstProcess(launcher: number): number | undefined {
  const pid = firstChild(launcher);
  return pid !== undefined && runs(pid) ? pid : undefined;
}

/** The process that another one has started first, of those that are there. */
export function firstChild(parent: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8");
    const pid = Number(children.trim().split(" ")[0]);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process stands still until somebody has it go on (`SIGSTOP`). */
export function isStopped(pid: number): boolean {
  try {
    return /^State:\s+T\b/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * The launcher's end is not yet the sandbox's: the kernel ends what ran in it a moment later, and the first process last
 * of all. Whoever takes what the sandbox has left is to find nothing that still writes to it.
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
 * Whether this is the first process of a namespace, and not dead. A dead one stays in the table until whoever has taken it
 * over asks for its end (the first process of a container may take seconds for that, or never do it), but all that was in
 * its namespace is gone by then, and its mounts and files with it: the kernel waits for them before it lets it die.
 * @param status as in /proc/PID/status
 */
export const isFirstThatRuns = (status: string): boolean =>
  /^NSpid:.*\s1$/m.test(status) && !/^State:\s+[ZX]/m.test(status);
