import { expect, it } from "vitest";
import { createTokenBucket } from "./token-bucket.ts";

it("grants stored and refilled tokens, all that are requested or none", () => {
  let time = 0;
  const bucket = createTokenBucket({ burst: 10, perSecond: 4, now: () => time });
  expect([bucket.take(11), bucket.take(10), bucket.take()]).toEqual([false, true, false]);
  time = 500;
  expect([bucket.take(3), bucket.take(2), bucket.take()]).toEqual([false, true, false]);
  time = 60_000;
  expect([bucket.take(10), bucket.take()]).toEqual([true, false]);
});

it("reports the time until the next token, and then has one", () => {
  let time = 0;
  const bucket = createTokenBucket({ burst: 2, perSecond: 1 / 60, now: () => time });
  expect([bucket.untilNext(), bucket.take(2), bucket.untilNext()]).toEqual([0, true, 60_000]);
  time = 12_345;
  expect(bucket.untilNext()).toBeCloseTo(47_655);
  time = 59_999;
  expect(bucket.take()).toBe(false);
  time += bucket.untilNext();
  expect([bucket.take(), bucket.take()]).toEqual([true, false]);
});
