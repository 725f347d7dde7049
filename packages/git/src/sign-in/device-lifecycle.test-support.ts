import type { World } from "../../../protocol/src/lifecycle/interleavings.test-support.ts";
import { deviceTransition, FIRST_STEP, type DeviceEffect, type DeviceEvent, type DeviceState } from "./device-lifecycle.ts"; // prettier-ignore

const GRANT = { deviceCode: "d", userCode: "U", verificationUri: "https://x/device", until: 100 };

/** Simulates a server with an interval, a clock, and a person who may cancel. */
export function deviceWorld(): World<DeviceState, DeviceEvent, DeviceEffect> {
  let now = 0;
  /** When the server may be asked again. */
  let notBefore = 0;
  let minimumMs = 5;
  let requests = 0;
  let stored = 0;
  let isCancelled = false;
  const answer =
    (event: DeviceEvent, then = () => {}) =>
    () => {
      requests--;
      then();
      notBefore = now + minimumMs;
      return event;
    };
  let started = false;
  return {
    initial: FIRST_STEP.state,
    transition: deviceTransition,
    perform(effect) {
      switch (effect.type) {
        case "request":
          throw new Error("a code was requested twice");
        case "wait":
          return [
            () => {
              now += effect.ms;
              return { type: "due", now };
            },
          ];
        case "poll":
          if (++requests > 1) throw new Error("asked twice at a time");
          if (now < notBefore) throw new Error("asked too soon");
          return [
            answer({ type: "issued", token: { token: "t" } }),
            answer({ type: "pending" }),
            answer({ type: "slow-down" }, () => (minimumMs += 5_000)),
            answer({ type: "unreachable" }),
            answer({ type: "denied" }),
            answer({ type: "expired" }),
            answer({ type: "failed", error: "odd" }),
          ];
        case "store":
          if (isCancelled) throw new Error("stored although it was cancelled");
          if (++stored > 1) throw new Error("stored twice");
          return [() => ({ type: "stored" }), () => ({ type: "failed", error: "disk" })];
      }
    },
    offers(state) {
      const cancel = () => {
        if (state.phase !== "storing" && state.phase !== "signed-in") isCancelled = true;
        return { type: "cancel" } as const;
      };
      if (started) return [cancel];
      const granted = (): DeviceEvent => {
        started = true;
        notBefore = now + minimumMs;
        return { type: "granted", grant: GRANT, intervalMs: 5 };
      };
      return [granted, cancel];
    },
    closing: [() => ({ type: "granted", grant: GRANT, intervalMs: 5 })],
    checkAtEnd({ phase }) {
      if (/requesting|waiting|polling|storing/.test(phase)) throw new Error(`still ${phase}`);
    },
    anyEvents: [
      { type: "due", now: 1 },
      { type: "stored" },
      { type: "pending" },
      { type: "cancel" },
    ],
  };
}
