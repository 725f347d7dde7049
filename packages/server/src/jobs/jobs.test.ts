import type { AppJobRun } from "@treadle/protocol";
import { expect, it } from "vitest";
import { createJobRuns, OUTPUT_KEPT, type JobEnd } from "./job-runs.ts";
import { nextTime, readJobs, type Job } from "./read-jobs.ts";

const job = (more: object = {}) => ({
  name: "digest",
  schedule: "*/5 * * * *",
  command: "npm run digest",
  ...more,
});
const read = (...jobs: object[]) => readJobs(JSON.stringify({ jobs }));

it("a treadle.json says what is run and when, in UTC where it names no time zone", () => {
  expect(read(job())).toEqual([{ ...job(), timeZone: "UTC", minutes: 10 }]);
  expect(readJobs("{}")).toEqual([]);
  const [daily] = read(job({ schedule: "0 9 * * *", timeZone: "Asia/Tokyo" }));
  expect(new Date(nextTime(daily!, Date.UTC(2026, 0, 1))!).toISOString()).toBe(
    "2026-01-02T00:00:00.000Z",
  );
});

it.each([
  ["{", /is no JSON/],
  [JSON.stringify({ jobs: [job({ schedule: "often" })] }), /“often” \(UTC\) of the job “digest”/],
  [JSON.stringify({ jobs: [job({ schedule: "* * * * * *" })] }), /five fields/],
  [JSON.stringify({ jobs: [job({ timeZone: "Mars/Base" })] }), /Mars\/Base/],
  [JSON.stringify({ jobs: [job({ schedule: "0 0 30 2 *" })] }), /never comes/],
  [JSON.stringify({ jobs: [job(), job()] }), /two jobs called “digest”/],
  [JSON.stringify({ jobs: [job({ command: " " })] }), /jobs\.0\.command/],
  [JSON.stringify({ jobs: [job({ name: "../x" })] }), /jobs\.0\.name/],
  [JSON.stringify({ jobs: [job({ minutes: 600 })] }), /jobs\.0\.minutes/],
])("a treadle.json that cannot be kept to says what is wrong: %s", (text, said) => {
  expect(() => readJobs(text)).toThrow(said);
});

it("A129 a job is run at its times, never twice at once, and a time that was missed is passed over", async () => {
  let now = Date.UTC(2026, 0, 1, 12, 1);
  const ends: ((end: JobEnd) => void)[] = [];
  const ended: AppJobRun[] = [];
  const runs = createJobRuns({
    now: () => now,
    run: () => new Promise((resolve) => ends.push(resolve)),
    onEnd: async (_project, _job, run) => void ended.push(run),
  });
  const jobs: Job[] = read(job());
  const tick = () => runs.tick([{ project: "p", jobs }]);
  tick();
  expect(ends).toHaveLength(0);
  now = Date.UTC(2026, 0, 1, 12, 5);
  tick();
  expect(ends).toHaveLength(1);
  expect(runs.tell("p", jobs, {})).toMatchObject([
    { running: true, next: Date.UTC(2026, 0, 1, 12, 10) },
  ]);
  expect(runs.begin("p", jobs[0]!)).toBe(false);
  // It still goes on, and hours are missed.
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
