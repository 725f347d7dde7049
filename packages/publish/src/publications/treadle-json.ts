import { readOwnLimits, type OpenOptions } from "@treadle/workspace";
import { z } from "zod";
import { JobsInFile, refuseOddJobs, type Job } from "../jobs/read-jobs.ts";

/** The settings for publishing in an app's `treadle.json`. */
export interface TreadleJson {
  /** Scheduled jobs. */
  jobs: Job[];
  /** Maximum resources, if lower than the server allows. */
  limits: OpenOptions["limits"];
  /** Maximum transfer size of the app's first page, in megabytes. */
  firstPageMB: number;
}

const File = z.object({
  jobs: JobsInFile.default([]),
  limits: z.unknown().optional(),
  // A phone downloads 2 MB in four seconds.
  firstPageMB: z.number().positive().max(1_000).default(2),
});

/**
 * Parses a `treadle.json`.
 * @param text absent if there is no such file
 * @throws Error with a message about what is wrong in it
 */
export function readTreadleJson(text = "{}"): TreadleJson {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new Error(`treadle.json is no JSON: ${(error as Error).message}`);
  }
  const read = File.safeParse(manifest);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue!.path.length > 0 ? `${issue!.path.join(".")}: ` : "";
    throw new Error(`treadle.json: ${where}${issue!.message}`);
  }
  const { jobs, limits, firstPageMB } = read.data;
  refuseOddJobs(jobs);
  return { jobs, limits: readOwnLimits(limits), firstPageMB };
}
