import { expect, it } from "vitest";
import { checkInterleavings } from "@treadle/protocol/testing";
import { attemptWorld } from "./attempt-lifecycle.test-support.ts";
import { attemptTransition, type AttemptEvent, type AttemptPhase } from "./attempt-lifecycle.ts";

it("holds its invariants in random interleavings, with the server killed in between", () => {
  checkInterleavings(attemptWorld);
});

const after = (...events: AttemptEvent[]) =>
  events.reduce<AttemptPhase>((phase, event) => attemptTransition(phase, event).state, "waiting");

it("does not continue an attempt that was stopped while its copy was being made", () => {
  expect(after("place", "stop", "made")).toBe("stopped");
  expect(after("place", "stop", "restart")).toBe("stopped");
});

it("stops the turn of an attempt that was stopped while its message was being sent", () => {
  const halting = after("place", "made", "stop");
  expect(attemptTransition(halting, "asked")).toEqual({
    state: "stopping",
    effects: ["follow", "halt"],
  });
});

it("resumes a turn and a merge that a restart interrupted", () => {
  const going = after("place", "made", "asked");
  expect(attemptTransition(going, "restart").effects).toEqual(["resume"]);
  expect(attemptTransition(attemptTransition(going, "fits").state, "restart").effects).toEqual([
    "merge",
  ]);
});
