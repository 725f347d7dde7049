import { expect, it } from "vitest";
import { createGiveWay } from "./give-way.ts";

/** A pause that the test ends. */
function held() {
  const pauses: (() => void)[] = [];
  const giveWay = createGiveWay(() => new Promise<void>((resolve) => void pauses.push(resolve)));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    giveWay,
    settle,
    pausing: () => pauses.length,
    async endPause() {
      pauses.shift()!();
      await settle();
    },
    watch(promise: Promise<void>) {
      const seen = { done: false };
      void promise.then(() => (seen.done = true));
      return seen;
    },
  };
}

it("does not wait if there was no work", async () => {
  const { giveWay } = held();
  await giveWay.whenQuiet();
});

it("starts background work a while after the last work ended, and not between two pieces of work", async () => {
  const { giveWay, settle, watch, pausing, endPause } = held();
  const [first, second] = [giveWay.begin(), giveWay.begin()];
  const quiet = watch(giveWay.whenQuiet());
  first();
  await settle();
  expect(pausing()).toBe(0);
  second();
  await settle();
  expect(pausing()).toBe(1);
  // A command that starts during the pause restarts it, whether it has ended or still runs.
  giveWay.begin()();
  await endPause();
  expect([quiet.done, pausing()]).toEqual([false, 1]);
  const long = giveWay.begin();
  await endPause();
  expect([quiet.done, pausing()]).toEqual([false, 0]);
  long();
  await settle();
  await endPause();
  expect(quiet.done).toBe(true);
});
