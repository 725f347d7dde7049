import { expect, it } from "vitest";
import { isFirstThatRuns } from "./first-process.ts";

const status = (state: string, pids: string) =>
  `Name:\tbwrap\nUmask:\t0022\nState:\t${state}\nTgid:\t4711\nPid:\t4711\nPPid:\t1\nNSpid:\t${pids}\nThreads:\t1\n`;

it.each(["R (running)", "S (sleeping)", "D (disk sleep)", "T (stopped)"])(
  "a sandbox whose first process is in state %s is running",
  (state) => expect(isFirstThatRuns(status(state, "4711\t1"))).toBe(true),
);

it.each(["Z (zombie)", "X (dead)"])(
  "a sandbox whose first process is in state %s is gone, even if nobody has reaped it",
  (state) => expect(isFirstThatRuns(status(state, "4711\t1"))).toBe(false),
);

it("another process that got its number is not a sandbox's first process", () => {
  expect(isFirstThatRuns(status("R (running)", "4711"))).toBe(false);
  expect(isFirstThatRuns(status("R (running)", "4711\t21"))).toBe(false);
});
