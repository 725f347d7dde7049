import { sentence } from "@treadle/protocol/sentences";
import type { AppJob } from "@treadle/protocol";
import { serverEnvironment } from "@treadle/egress";
import { type Workspace, type WorkspaceSettings } from "@treadle/workspace";
import { ApiFailure, notFound } from "@treadle/common";
import type { StoredMap } from "@treadle/common";
import { createJobRuns, type JobEnd } from "../jobs/job-runs.ts";
import type { Job } from "../jobs/read-jobs.ts";
import type { StoredPublication } from "./stored-publication.ts";
import type { PublicationRuntimes } from "./publication-runtimes.ts";
import { thrownIn } from "./thrown-in.ts";

/** How often due jobs are searched, in milliseconds. */
const TICK_MS = 1_000;

/** Scheduled jobs of the current releases. */
export interface AppJobs {
  list(publication: StoredPublication): AppJob[];
  /** Starts a job at once. @throws ApiFailure 404 if there is no such job, 409 `running` if it runs already */
  begin(publication: StoredPublication, name: string): void;
  close(): Promise<void>;
}

export function createAppJobs(parts: {
  list: StoredMap<StoredPublication>;
  runtimes: PublicationRuntimes;
  save(publication: StoredPublication): Promise<void>;
  settingsOf(project: string): Promise<WorkspaceSettings>;
  /** Whether the project was deleted and can still be restored. */
  isSuspended(project: string): boolean;
  now(): number;
}): AppJobs {
  const { list, runtimes } = parts;
  const jobsOf = ({ current, releases }: StoredPublication): Job[] =>
    releases.find(({ number }) => number === current)?.jobs ?? [];

  const runs = createJobRuns({
    now: parts.now,
    run,
    async onEnd(project, { name }, ended) {
      const publication = list.get(project);
      if (!publication) return;
      publication.jobRuns = { ...publication.jobRuns, [name]: ended };
      if (ended.state === "failed" || ended.state === "timeout") {
        const { thrown, stack } = thrownIn(ended.output);
        const how = ended.state === "timeout" ? "took too long" : "failed";
        runtimes.onError(project, {
          release: runtimes.current(project)?.release ?? publication.current ?? 0,
          kind: "job",
          text: `The job “${name}” ${how}${thrown === undefined ? "." : `: ${thrown}`}`,
          stack,
        });
      }
      await parts.save(publication);
    },
  });

  /**
   * Runs a job in the app's own sandbox. It counts as a request, so that a switch of releases waits
   * for it briefly.
   */
  async function run(project: string, job: Job, signal: AbortSignal): Promise<JobEnd> {
    const entered = await runtimes.get(project).slot.enter();
    if (entered?.releaseServer.kind !== "app") {
      entered?.leave();
      return { state: "stopped", output: "" };
    }
    const { app } = entered.releaseServer;
    let leaveApp: (() => void) | undefined;
    let workspace: Workspace | undefined;
    // Whether the job's sandbox was ended by a switch of releases, a restart, or the project's removal.
    const isOver = () =>
      runtimes.current(project) !== entered.releaseServer || (workspace && !app.isOpen(workspace));
    try {
      leaveApp = await app.use();
      workspace = await app.workspace();
      const exit = await workspace.run(job.command, {
        signal,
        adopt: false,
        timeoutMs: job.minutes * 60_000,
        quietMs: job.minutes * 60_000,
        env: { ...serverEnvironment(await parts.settingsOf(project)), NODE_ENV: "production" },
      });
      const { kind, output } = exit;
      if (kind === "exited" && exit.code === 0) return { state: "done", output };
      if (kind === "aborted" || isOver()) return { state: "stopped", output };
      return { state: kind === "timeout" || kind === "quiet" ? "timeout" : "failed", output };
    } catch (error) {
      return { state: isOver() ? "stopped" : "failed", output: (error as Error).message };
    } finally {
      leaveApp?.();
      entered.leave();
    }
  }

  const timer = setInterval(() => {
    const all = list.all().filter(({ project }) => !parts.isSuspended(project));
    runs.tick(
      all.map((publication) => ({ project: publication.project, jobs: jobsOf(publication) })),
    );
  }, TICK_MS);
  timer.unref();

  return {
    list: (publication) =>
      runs.list(publication.project, jobsOf(publication), publication.jobRuns ?? {}),
    begin(publication, name) {
      const job = jobsOf(publication).find((one) => one.name === name);
      if (!job) throw notFound("job");
      if (!runs.begin(publication.project, job))
        throw new ApiFailure(409, "running", sentence("job-running"));
    },
    async close() {
      clearInterval(timer);
      await runs.close();
    },
  };
}
