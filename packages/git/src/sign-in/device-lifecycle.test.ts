import { expect, it } from "vitest";
import { checkInterleavings } from "../../../protocol/src/lifecycle/interleavings.test-support.ts";
import { deviceTransition, FIRST_STEP, type DeviceEvent } from "./device-lifecycle.ts";
import { deviceWorld } from "./device-lifecycle.test-support.ts";

const grant = { deviceCode: "d", userCode: "U", verificationUri: "https://x/device", until: 9_000 };
const granted = { type: "granted", grant, intervalMs: 5_000 } as const;

/** The steps of these events, beginning with a new sign-in. */
function after(...events: DeviceEvent[]) {
  let step = FIRST_STEP;
  for (const event of events) step = deviceTransition(step.state, event);
  return step;
}

it("holds its invariants in random interleavings", () => {
  checkInterleavings(deviceWorld);
});

it("waits 5 seconds longer after each slow_down, and twice as long after a connection that failed", () => {
  const due = { type: "due", now: 1 } as const;
  expect(after(granted).effects).toEqual([{ type: "wait", ms: 5_000 }]);
  expect(after(granted, due, { type: "pending" }).effects).toEqual([{ type: "wait", ms: 5_000 }]);
  const slower = [granted, due, { type: "slow-down" }] as const;
  expect(after(...slower).effects).toEqual([{ type: "wait", ms: 10_000 }]);
  expect(after(...slower, due, { type: "unreachable" }).effects).toEqual([{ type: "wait", ms: 20_000 }]); // prettier-ignore
});

it("does not ask again once the code has expired", () => {
  expect(after(granted, { type: "due", now: 9_000 })).toEqual({
    state: { phase: "ended", problem: "expired", error: undefined },
    effects: [],
  });
});

it("drops a token that arrives after the person cancelled", () => {
  const late = after(granted, { type: "due", now: 1 }, { type: "cancel" }, { type: "issued", token: { token: "t" } }); // prettier-ignore
  expect(late).toEqual({ state: { phase: "cancelled" }, effects: [] });
});
