import { expect, it } from "vitest";
import { onceDone } from "./once-done.ts";

it("tries again after a failure, and not after a success", async () => {
  let calls = 0;
  const stop = onceDone(async () => {
    if (++calls === 1) throw new Error("busy");
  });
  const both = await Promise.allSettled([stop(), stop()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(calls).toBe(1);
  await Promise.all([stop(), stop()]);
  await stop();
  expect(calls).toBe(2);
});

it("runs once even if the action calls it again", async () => {
  let times = 0;
  const again: Promise<void>[] = [];
  const stop: () => Promise<void> = onceDone(async () => {
    if (times++ === 0) again.push(stop());
  });
  await stop();
  await Promise.all(again);
  expect(times).toBe(1);
});
