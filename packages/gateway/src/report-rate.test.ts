import { expect, test } from "vitest";
import { createReportRate } from "./report-rate.ts";

test("allows a burst, and then a rate per second, for each key separately", () => {
  let time = 0;
  const rate = createReportRate({ burst: 2, perSecond: 4, now: () => time });
  expect([1, 2, 3].map(() => rate.take("a"))).toEqual([true, true, false]);
  expect(rate.take("b")).toBe(true);
  time = 250;
  expect([1, 2].map(() => rate.take("a"))).toEqual([true, false]);
  time = 10_000;
  expect([1, 2, 3].map(() => rate.take("a"))).toEqual([true, true, false]);
});

test("who has to wait is told for how many seconds, and may pass after them", () => {
  let time = 0;
  const rate = createReportRate({ burst: 1, perSecond: 1 / 60, now: () => time });
  expect([1, 2].map(() => rate.take("a"))).toEqual([true, false]);
  expect([rate.secondsToWait("a"), rate.secondsToWait("b")]).toEqual([60, 0]);
  time = 12_345;
  const seconds = rate.secondsToWait("a");
  expect(seconds).toBe(48);
  time += (seconds - 1) * 1_000;
  expect(rate.take("a")).toBe(false);
  time += 1_000;
  expect(rate.take("a")).toBe(true);
});
