import { setImmediate as settled } from "node:timers/promises";
import { expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { deadlineAfter } from "./waiting.ts";

/** Longer than the fake clock advances by itself. */
const LONG = 200_000;

it("a deadline aborts with its reason when the clock has passed it", async () => {
  const clock = createFakeClock();
  const reason = new Error("too late");
  const { signal } = deadlineAfter(clock, LONG, reason);
  clock.advance(LONG - 1);
  await settled();
  expect(signal.aborted).toBe(false);
  clock.advance(1);
  await settled();
  expect(signal.reason).toBe(reason);
});

it("a deadline that is over before aborts nothing", async () => {
  const clock = createFakeClock();
  const { signal, cancel } = deadlineAfter(clock, LONG);
  cancel();
  clock.advance(LONG);
  await settled();
  expect(signal.aborted).toBe(false);
});
