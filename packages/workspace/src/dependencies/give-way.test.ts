import { expect, it } from "vitest";
import { createGiveWay } from "./give-way.ts";

/** A pause that lasts until the test ends it. */
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

it("nobody waits where nobody has been at work", async () => {
  const { giveWay } = held();
  await giveWay.whenQuiet();
});

it("what can wait begins a while after the last work has ended, and not between two pieces of it", async () => {
  const { giveWay, settle, watch, pausing, endPause } = held();
  const [first, second] = [giveWay.begin(), giveWay.begin()];
  const quiet = watch(giveWay.whenQuiet());
  first();
  await settle();
  expect(pausing()).toBe(0);
  second();
  await settle();
  expect(pausing()).toBe(1);
  // A command that began and ended within the pause begins it anew, as does one that goes on.
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
