import { tailOf } from "@treadle/protocol/safe-text";
import type { AppJob, AppJobRun } from "@treadle/protocol";
import { nextTime, type Job } from "./read-jobs.ts";

/** Number of characters kept from the end of the last run's output. */
export const OUTPUT_KEPT = 8_000;

/** The result of running a job's command. */
export type JobEnd = { state: AppJobRun["state"]; output: string };

/** Runs the jobs of published apps on schedule, each at most once at a time. */
export interface JobRuns {
  /**
   * Starts the jobs that are due. Times that passed while the server was down, or while the job was
   * still running, are skipped.
   */
  tick(all: readonly { project: string; jobs: readonly Job[] }[]): void;
  /**
   * Starts a job now.
   * @returns false if it is already running
   */
  begin(project: string, job: Job): boolean;
  /**
   * The jobs with their state.
   * @param last the last result of each job by name
   */
  list(project: string, jobs: readonly Job[], last: Record<string, AppJobRun>): AppJob[];
  /** Stops running jobs. */
  close(): Promise<void>;
}

export function createJobRuns(parts: {
  now(): number;
  run(project: string, job: Job, signal: AbortSignal): Promise<JobEnd>;
  onEnd(project: string, job: Job, run: AppJobRun): Promise<void>;
}): JobRuns {
  const { now } = parts;
  const due = new Map<string, number | undefined>();
  let lastTick = -Infinity;
  const going = new Map<string, { ends: AbortController; done: Promise<void> }>();
  const keyOf = (project: string, { name, schedule, timeZone }: Job) =>
    JSON.stringify([project, name, schedule, timeZone]);
  const runKey = (project: string, { name }: Job) => JSON.stringify([project, name]);

  function begin(project: string, job: Job): boolean {
    const key = runKey(project, job);
    if (going.has(key)) return false;
    const ends = new AbortController();
    const at = now();
    const done = parts
      .run(project, job, ends.signal)
      .catch((error: Error): JobEnd => ({ state: "failed", output: error.message }))
      .then(async ({ state, output }) => {
        going.delete(key);
        await parts.onEnd(project, job, {
          at,
          ms: now() - at,
          state: ends.signal.aborted ? "stopped" : state,
          output: tailOf(output, OUTPUT_KEPT),
        });
      })
      .catch(() => undefined);
    going.set(key, { ends, done });
    return true;
  }

  return {
    begin,
    tick(all) {
      const known = new Set<string>();
      // The clock was set back: due times computed before may be years away.
      if (now() < lastTick) due.clear();
      lastTick = now();
      for (const { project, jobs } of all)
        for (const job of jobs) {
          const key = keyOf(project, job);
          known.add(key);
          const at = due.get(key);
          if (!due.has(key) || (at !== undefined && at <= now()))
            due.set(key, nextTime(job, now()));
          if (at !== undefined && at <= now()) begin(project, job);
        }
      for (const key of due.keys()) if (!known.has(key)) due.delete(key);
    },
    list: (project, jobs, last) =>
      jobs.map((job) => ({
        ...job,
        next: due.get(keyOf(project, job)) ?? nextTime(job, now()),
        running: going.has(runKey(project, job)),
        last: last[job.name],
      })),
    async close() {
      for (const { ends } of going.values()) ends.abort();
      await Promise.all([...going.values()].map(({ done }) => done));
    },
  };
}
