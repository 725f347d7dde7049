import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ProcessActivity } from "./process-activity.ts";
import { limitByProgress } from "./progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function limited(activity: () => ProcessActivity | undefined) {
  const reasons: string[] = [];
  const limit = limitByProgress({
    quietMs: 120_000,
    outerMs: 900_000,
    activity: async () => activity(),
    onOver: (why) => reasons.push(`${why} after ${Math.round(performance.now() / 10_000) * 10} s`),
  });
  vi.setSystemTime(0);
  return { limit, over: reasons };
}

it("a command that prints and does nothing ends after its quiet time", async () => {
  const { over: reasons } = limited(() => ({ cpuMs: 500, bytes: 90 }));
  const begun = performance.now();
  await vi.advanceTimersByTimeAsync(119_000);
  expect(reasons).toEqual([]);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(reasons).toHaveLength(1);
  expect(performance.now() - begun).toBeLessThanOrEqual(130_000);
});

it.each([
  ["computes", () => ({ cpuMs: performance.now() / 20, bytes: 0 })],
  ["fetches over a slow line", () => ({ cpuMs: 0, bytes: performance.now() / 2 })],
])("a silent command that %s continues until the outer limit", async (_, activity) => {
  const { over: reasons } = limited(activity);
  await vi.advanceTimersByTimeAsync(890_000);
  expect(reasons).toEqual([]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reasons).toEqual([expect.stringMatching(/^timeout/)]);
});

it("a program that only waits, with timers, makes no progress", async () => {
  const { over: reasons } = limited(() => ({
    cpuMs: performance.now() / 1_000,
    bytes: performance.now() / 100,
  }));
  await vi.advanceTimersByTimeAsync(130_000);
  expect(reasons).toEqual([expect.stringMatching(/^quiet/)]);
});

it("a command that prints continues, even if its activity cannot be measured", async () => {
  const { over: reasons, limit } = limited(() => undefined);
  for (let at = 0; at < 5; at++) {
    await vi.advanceTimersByTimeAsync(100_000);
    limit.printed();
  }
  expect(reasons).toEqual([]);
  limit.end();
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(reasons).toEqual([]);
});
