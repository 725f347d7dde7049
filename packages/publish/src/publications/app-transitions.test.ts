import { checkInterleavings } from "@treadle/protocol/testing";
import { expect, it } from "vitest";
import { appWorld } from "./app-world.test-support.ts";
import { ASLEEP, RETRY_AFTER_MS, transition, type AppEvent } from "./app-transitions.ts";

it("answers every request and leaves no sandbox behind in random interleavings", () => {
  checkInterleavings(appWorld);
});

/** The state after the events, and the effects of the last one. */
function after(...events: AppEvent[]) {
  let step: ReturnType<typeof transition> = { state: ASLEEP, effects: [] };
  for (const event of events) step = transition(step.state, event);
  return { kind: step.state.kind, effects: step.effects.map(({ type }) => type) };
}

const START: AppEvent = { type: "start", at: 0 };
const OPENED: AppEvent = { type: "opened", sandbox: 1 };
const SLEEP: AppEvent = { type: "sleep" };
const failed: AppEvent = { type: "start-failed", sandbox: 1, at: 5, error: "it throws" };

it("ends a sandbox that opens after its end was requested", () => {
  expect(after(START, SLEEP)).toEqual({ kind: "opening", effects: ["refuse-files", "refuse-app"] });
  expect(after(START, SLEEP, OPENED)).toEqual({ kind: "ending", effects: ["end"] });
});

it("is asleep, not failed, if its end interrupts its start", () => {
  const ended: AppEvent = { type: "ended", sandbox: 1 };
  expect(after(START, OPENED, SLEEP, failed, ended, START)).toEqual({
    kind: "opening",
    effects: ["open"],
  });
});

it("is not restarted by every request after a failure, but after a delay", () => {
  const again = { ...START, at: 5 + RETRY_AFTER_MS };
  expect(after(START, OPENED, failed, { ...START, at: 6 }).effects).toEqual(["refuse-app"]);
  expect(after(START, OPENED, failed, again).effects).toEqual(["start"]);
});

it("ends a sandbox again whose end failed, before another is opened", () => {
  const stuck: AppEvent = { type: "end-failed", sandbox: 1, error: "busy" };
  expect(after(START, OPENED, SLEEP, stuck, START)).toEqual({ kind: "ending", effects: ["end"] });
});
