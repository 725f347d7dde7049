import { expect, test } from "vitest";
import { createReportRate } from "./report-rate.ts";

test("a burst passes, then so many a second, for each key apart", () => {
  let time = 0;
  const rate = createReportRate({ burst: 2, perSecond: 4, now: () => time });
  expect([1, 2, 3].map(() => rate.take("a"))).toEqual([true, true, false]);
  expect(rate.take("b")).toBe(true);
  time = 250;
  expect([1, 2].map(() => rate.take("a"))).toEqual([true, false]);
  time = 10_000;
  expect([1, 2, 3].map(() => rate.take("a"))).toEqual([true, true, false]);
});
