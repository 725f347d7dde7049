import { readFileSync } from "node:fs";

/** The activity of processes so far, including exited children. It only increases. */
export interface ProcessActivity {
  cpuMs: number;
  /** Bytes read and written, of files, pipes and the network. */
  bytes: number;
}

/** Milliseconds of a clock tick, the unit in which Linux reports processor time on all machines. */
const TICK_MS = 10;
/**
 * Indexes of the times in /proc/PID/stat, counted from the field after the program's name: user and
 * system time, and those of children.
 */
const TIMES = [11, 12, 13, 14];

/** Sums the activity of processes; one that is gone, or not readable, adds nothing. */
export function measureActivity(pids: readonly number[]): ProcessActivity {
  const sum = { cpuMs: 0, bytes: 0 };
  for (const pid of pids) {
    const stat = read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    for (const index of TIMES) sum.cpuMs += TICK_MS * Number(fields[index] ?? 0);
    for (const [, count] of read(`/proc/${pid}/io`).matchAll(/^[rw]char: (\d+)$/gm))
      sum.bytes += Number(count);
  }
  return sum;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
