import { checkInterleavings, type World } from "@treadle/protocol/testing";
import { expect, it } from "vitest";
import {
  NEW_SERVER,
  transition,
  type ServerEffect,
  type ServerEvent,
  type ServerState,
} from "./server-transitions.ts";

/** Connections that end in every way, delays, and up to three users. */
function serverWorld(): World<ServerState, ServerEvent, ServerEffect> {
  let time = 0;
  let users = 0;
  let openLine: number | undefined;
  let isWaiting = false;
  const ends = (line: number) =>
    (["ended", "again", "asleep", "refused"] as const).map((end) => (): ServerEvent => {
      time += 60_000;
      return { type: "ended", line, end, at: time };
    });
  return {
    initial: NEW_SERVER,
    transition,
    perform(effect) {
      switch (effect.type) {
        case "open":
          if (openLine !== undefined) throw new Error("two connections");
          if (users === 0) throw new Error("opened for nobody");
          openLine = effect.line;
          return [
            () => ({ type: "connected", line: effect.line, root: "file:///" }),
            ...ends(effect.line),
          ];
        case "initialize":
          return [
            () => ({ type: "initialized", line: effect.line, at: time }),
            () => ({ type: "not-initialized", line: effect.line, at: time }),
            ...ends(effect.line),
          ];
        case "close":
          openLine = undefined;
          return [];
        case "wait":
          if (isWaiting) throw new Error("two delays");
          isWaiting = true;
          return [
            () => {
              // A delay that was stopped reports nothing.
              if (!isWaiting) return undefined;
              isWaiting = false;
              return { type: "waited" };
            },
          ];
        case "stop-waiting":
          isWaiting = false;
          return [];
      }
    },
    offers: (state) => [
      () => {
        if (users === 3) return undefined;
        users++;
        return { type: "use" };
      },
      () => {
        if (users === 0) return undefined;
        users--;
        return { type: "leave" };
      },
      () => ({ type: "wake" }),
      () => ({ type: "retry" }),
      ...ends(state.line),
    ],
    check(state) {
      const isOn = state.kind === "starting" || state.kind === "ready";
      if (isOn !== (openLine !== undefined)) throw new Error("connection and state differ");
      if ((state.kind === "waiting") !== isWaiting) throw new Error("delay and state differ");
      if (users === 0 && (isOn || isWaiting)) throw new Error("runs for nobody");
      if (users > 0 && state.kind === "off") throw new Error("off though it is used");
    },
    closing: [
      () => {
        users = Math.max(users, 1);
        return { type: "use" };
      },
      () => ({ type: "retry" }),
    ],
    checkAtEnd(state) {
      if (state.kind !== "ready") throw new Error(`ended ${state.kind}`);
    },
  };
}

it("has at most one connection or delay, and none without users, in every order of events", () => {
  checkInterleavings(serverWorld);
});

function after(...events: ServerEvent[]) {
  let step: ReturnType<typeof transition> = { state: NEW_SERVER, effects: [] };
  for (const event of events) step = transition(step.state, event);
  return { kind: step.state.kind, effects: step.effects.map(({ type }) => type) };
}

it("is not ready for the next user before its new connection answers", () => {
  const first: ServerEvent[] = [
    { type: "use" },
    { type: "connected", line: 1, root: "file:///" },
    { type: "initialized", line: 1, at: 0 },
    { type: "leave" },
    { type: "use" },
  ];
  expect(after(...first)).toEqual({ kind: "starting", effects: ["open"] });
  // What the first connection still reports is not the second one's.
  expect(after(...first, { type: "initialized", line: 1, at: 1 }).kind).toBe("starting");
  expect(after(...first, { type: "initialized", line: 2, at: 1 }).kind).toBe("ready");
});

it("restarts after a failed initialization, up to three times", () => {
  const events: ServerEvent[] = [{ type: "use" }];
  for (let line = 1; line <= 4; line++) {
    events.push({ type: "connected", line, root: "" }, { type: "not-initialized", line, at: 0 });
    if (line < 4) {
      expect(after(...events)).toEqual({ kind: "waiting", effects: ["close", "wait"] });
      events.push({ type: "waited" });
    }
  }
  expect(after(...events)).toEqual({ kind: "failed", effects: ["close"] });
  expect(after(...events, { type: "retry" }).kind).toBe("starting");
});
