import { expect, it } from "vitest";
import { exitStatus } from "./exit-status.ts";

it("0 means a project that was verified, or a plan, and nothing else", () => {
  expect(exitStatus({ outcome: "done", verdict: "verified" })).toBe(0);
  expect(exitStatus({ outcome: "done", verdict: "failed" })).toBe(1);
  expect(exitStatus({ outcome: "done", verdict: "unverified" })).toBe(3);
  expect(exitStatus({ outcome: "done" }, { plan: true })).toBe(0);
  expect(exitStatus({ outcome: "budget", verdict: "verified" })).toBe(4);
  expect(exitStatus({ outcome: "error" })).toBe(3);
  expect(exitStatus({ outcome: "stopped", verdict: "failed" })).toBe(1);
});

it("a run without changes reports the project's verdict, or not verified if there is none", () => {
  expect(exitStatus({ outcome: "done" }, { standing: "verified" })).toBe(0);
  expect(exitStatus({ outcome: "done" }, { standing: "failed" })).toBe(1);
  expect(exitStatus({ outcome: "done" }, { standing: "unverified" })).toBe(3);
  expect(exitStatus({ outcome: "done" })).toBe(3);
});
