import { expect, it } from "vitest";
import { readTreadleJson } from "./treadle-json.ts";

const job = (more: object = {}) => ({
  name: "digest",
  schedule: "*/5 * * * *",
  command: "npm run digest",
  ...more,
});

it("a treadle.json configures how an app is published, with defaults for what it omits", () => {
  expect(
    readTreadleJson(
      JSON.stringify({ jobs: [job()], limits: { memoryMB: 256, cpus: 0.5 }, firstPageMB: 4 }),
    ),
  ).toEqual({
    jobs: [{ ...job(), timeZone: "UTC", minutes: 10 }],
    limits: { memory: 256 * 1024 * 1024, cpus: 0.5 },
    firstPageMB: 4,
  });
  for (const text of [undefined, "{}", '{"other":1}'])
    expect(readTreadleJson(text)).toEqual({ jobs: [], limits: {}, firstPageMB: 2 });
});

it.each([
  ["{", /is no JSON/],
  ["[]", /^treadle\.json: Invalid input: expected object/],
  [JSON.stringify({ jobs: [job({ schedule: "often" })] }), /“often” \(UTC\) of the job “digest”/],
  [JSON.stringify({ jobs: [job({ schedule: "* * * * * *" })] }), /five fields/],
  [JSON.stringify({ jobs: [job({ timeZone: "Mars/Base" })] }), /Mars\/Base/],
  [JSON.stringify({ jobs: [job({ schedule: "0 0 30 2 *" })] }), /never occurs/],
  [JSON.stringify({ jobs: [job(), job()] }), /two jobs called “digest”/],
  [JSON.stringify({ jobs: [job({ command: " " })] }), /jobs\.0\.command/],
  [JSON.stringify({ jobs: [job({ name: "../x" })] }), /jobs\.0\.name/],
  [JSON.stringify({ jobs: [job({ minutes: 600 })] }), /jobs\.0\.minutes/],
  [JSON.stringify({ limits: { memoryMB: "much" } }), /limits\.memoryMB/],
  [JSON.stringify({ limits: { speed: 1 } }), /no limit “speed”/],
  [JSON.stringify({ firstPageMB: "much" }), /^treadle\.json: firstPageMB: /],
  [JSON.stringify({ firstPageMB: 0 }), /^treadle\.json: firstPageMB: /],
])("one that cannot be kept to says what is wrong: %s", (text, pattern) => {
  expect(() => readTreadleJson(text)).toThrow(pattern);
});
