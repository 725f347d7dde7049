import { expect, it } from "vitest";
import { exitStatus } from "./exit-status.ts";

it("0 is a project that was seen to work, or a plan, and nothing else", () => {
  expect(exitStatus({ outcome: "done", verdict: "verified" })).toBe(0);
  expect(exitStatus({ outcome: "done", verdict: "failed" })).toBe(1);
  expect(exitStatus({ outcome: "done", verdict: "unverified" })).toBe(3);
  expect(exitStatus({ outcome: "done" }, { plan: true })).toBe(0);
  expect(exitStatus({ outcome: "budget", verdict: "verified" })).toBe(4);
  expect(exitStatus({ outcome: "error" })).toBe(3);
  expect(exitStatus({ outcome: "stopped", verdict: "failed" })).toBe(1);
});

it("a run that changed nothing says how the project stands, and where nobody looked yet that it is not verified", () => {
  expect(exitStatus({ outcome: "done" }, { standing: "verified" })).toBe(0);
  expect(exitStatus({ outcome: "done" }, { standing: "failed" })).toBe(1);
  expect(exitStatus({ outcome: "done" }, { standing: "unverified" })).toBe(3);
  expect(exitStatus({ outcome: "done" })).toBe(3);
});
