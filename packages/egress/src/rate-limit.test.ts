import { afterEach, expect, it, vi } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

afterEach(() => vi.useRealTimers());

it("A27 answers a hundred per second at once, and all others later", () => {
  vi.useFakeTimers();
  let time = 0;
  let done = 0;
  const atMostOneASecond = createRateLimit(() => time);
  const ask = (times: number) => {
    for (let index = 0; index < times; index++) atMostOneASecond(() => done++);
  };
  ask(250);
  expect(done).toBe(100);
  time = 1_000;
  ask(1);
  expect(done).toBe(101);
  vi.advanceTimersByTime(1_000);
  expect(done).toBe(251);
});
