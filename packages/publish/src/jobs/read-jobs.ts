import { Cron } from "croner";
import { z } from "zod";

/** A command of the app that runs on a schedule. */
export interface Job {
  name: string;
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  schedule: string;
  /** A name of the IANA database. */
  timeZone: string;
  command: string;
  /** Time limit in minutes. */
  minutes: number;
}

/** Maximum number of jobs per app. */
const MOST = 20;

/** The schema of jobs in a `treadle.json`. */
export const JobsInFile = z
  .array(
    z.object({
      name: z
        .string()
        .regex(
          /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u,
          "has 1 to 60 letters, digits, spaces, dots, hyphens",
        ),
      schedule: z.string().max(200),
      timeZone: z.string().max(60).default("UTC"),
      command: z.string().trim().min(1).max(1_000),
      minutes: z.number().int().min(1).max(60).default(10),
    }),
  )
  .max(MOST);

/**
 * Checks the names and schedules of jobs.
 * @throws Error if two jobs have the same name, or a schedule cannot be parsed or never occurs
 */
export function refuseOddJobs(jobs: readonly Job[]): void {
  const names = new Set<string>();
  for (const job of jobs) {
    if (names.has(job.name)) throw new Error(`treadle.json has two jobs called “${job.name}”.`);
    names.add(job.name);
    if (nextTime(job, Date.now()) === undefined)
      throw new Error(`treadle.json: the job “${job.name}” has a schedule that never occurs.`);
  }
}

/**
 * The next scheduled time, in milliseconds since 1970; undefined if there is none.
 * @throws Error if the schedule cannot be parsed
 */
export function nextTime({ name, schedule, timeZone }: Job, after: number): number | undefined {
  if (!isTimeZone(timeZone))
    throw new Error(
      `treadle.json: the job “${name}” has the time zone “${timeZone}”, which does not exist. An example is Europe/Paris.`,
    );
  try {
    if (schedule.trim().split(/\s+/).length !== 5) throw new Error("it needs five fields");
    const cron = new Cron(schedule.trim(), { timezone: timeZone, paused: true });
    return cron.nextRun(new Date(after))?.getTime();
  } catch (error) {
    throw new Error(
      `treadle.json: the schedule “${schedule}” (${timeZone}) of the job “${name}” cannot be read: ${(error as Error).message}`,
    );
  }
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
