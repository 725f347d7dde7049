import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { someAtOnce } from "./some-at-once.ts";

it("processes everything, with limited concurrency", async () => {
  let [going, most, done] = [0, 0, 0];
  await someAtOnce(Array.from({ length: 50 }).keys(), 4, async () => {
    most = Math.max(most, ++going);
    await turn();
    going--;
    done++;
  });
  expect([most, done]).toEqual([4, 50]);
});

it("starts nothing after a failure, and ends only after everything in progress", async () => {
  const ended: number[] = [];
  const begun: number[] = [];
  const work = someAtOnce([0, 1, 2, 3, 4, 5], 3, async (one) => {
    begun.push(one);
    await turn();
    if (one === 1) throw new Error("no");
    await turn();
    ended.push(one);
  });
  await expect(work).rejects.toThrow("no");
  expect(begun).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 2]);
});
