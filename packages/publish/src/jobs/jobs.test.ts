import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AppJobRun } from "@treadle/protocol";
import { expect, it } from "vitest";
import { createJobRuns, OUTPUT_KEPT, type JobEnd } from "./job-runs.ts";
import { JobsInFile, nextTime, refuseOddJobs, type Job } from "./read-jobs.ts";

const job = (more: object = {}): Job => ({
  name: "digest",
  schedule: "*/5 * * * *",
  timeZone: "UTC",
  minutes: 10,
  command: "npm run digest",
  ...more,
});

it("a job runs at the time of its time zone", () => {
  const daily = job({ schedule: "0 9 * * *", timeZone: "Asia/Tokyo" });
  expect(new Date(nextTime(daily, Date.UTC(2026, 0, 1))!).toISOString()).toBe(
    "2026-01-02T00:00:00.000Z",
  );
});

it("the example job for the model is valid", () => {
  const skills = join(import.meta.dirname, "../../../agent/src/context/skills/own");
  const [shown = ""] = /\{"jobs": \[.*?\]\}/.exec(
    readFileSync(join(skills, "api/SKILL.md"), "utf8"),
  )!;
  const jobs = JobsInFile.parse((JSON.parse(shown) as { jobs: unknown }).jobs);
  refuseOddJobs(jobs);
  expect(jobs).toHaveLength(1);
  // At seven in Paris, in summer time.
  expect(new Date(nextTime(jobs[0]!, Date.UTC(2026, 6, 1))!).getUTCHours()).toBe(5);
});

it("a short message names an unknown time zone", () => {
  const nowhere = job({ timeZone: "Mars/Base" });
  expect(() => nextTime(nowhere, 0)).toThrow(
    "treadle.json: the job “digest” has the time zone “Mars/Base”, which does not exist. An example is Europe/Paris.",
  );
});

it("A129 a job runs on schedule, never concurrently, and missed times are skipped", async () => {
  let now = Date.UTC(2026, 0, 1, 12, 1);
  const ends: ((end: JobEnd) => void)[] = [];
  const ended: AppJobRun[] = [];
  const runs = createJobRuns({
    now: () => now,
    run: () => new Promise((resolve) => ends.push(resolve)),
    onEnd: async (_project, _job, run) => void ended.push(run),
  });
  const jobs = [job()];
  const tick = () => runs.tick([{ project: "p", jobs }]);
  tick();
  expect(ends).toHaveLength(0);
  now = Date.UTC(2026, 0, 1, 12, 5);
  tick();
  expect(ends).toHaveLength(1);
  expect(runs.list("p", jobs, {})).toMatchObject([
    { running: true, next: Date.UTC(2026, 0, 1, 12, 10) },
  ]);
  expect(runs.begin("p", jobs[0]!)).toBe(false);
  // It is still running when later times pass.
  now = Date.UTC(2026, 0, 1, 15, 1);
  tick();
  expect(ends).toHaveLength(1);
  ends[0]!({ state: "failed", output: "x".repeat(100_000) });
  await expect.poll(() => ended).toHaveLength(1);
  expect(ended[0]).toMatchObject({ state: "failed", at: Date.UTC(2026, 0, 1, 12, 5) });
  expect(ended[0]!.output).toHaveLength(OUTPUT_KEPT);
  tick();
  expect(ends).toHaveLength(1);
  now = Date.UTC(2026, 0, 1, 15, 5);
  tick();
  expect(ends).toHaveLength(2);
  const closed = runs.close();
  ends[1]!({ state: "done", output: "" });
  await closed;
  expect(ended[1]).toMatchObject({ state: "stopped" });
});

it("a job runs on schedule again after a wrong clock is set back", async () => {
  let now = Date.UTC(2026, 0, 1, 12, 1);
  let begun = 0;
  const runs = createJobRuns({
    now: () => now,
    run: async () => ((begun += 1), { state: "done", output: "" }),
    onEnd: async () => undefined,
  });
  const jobs = [job()];
  const tick = () => runs.tick([{ project: "p", jobs }]);
  for (const at of [now, Date.UTC(2030, 0, 1), Date.UTC(2026, 0, 1, 12, 2)]) {
    now = at;
    tick();
  }
  const before = begun;
  expect(runs.list("p", jobs, {})[0]?.next).toBe(Date.UTC(2026, 0, 1, 12, 5));
  await Promise.resolve();
  now = Date.UTC(2026, 0, 1, 12, 5);
  await runs.close();
  tick();
  expect(begun).toBe(before + 1);
});
