import { expect, it } from "vitest";
import { checkInterleavings } from "../../../../protocol/src/lifecycle/interleavings.test-support.ts";
import { NO_POSTGRES, serverTransition, type ServerEvent } from "./server-lifecycle.ts";
import { serverWorld } from "./server-lifecycle.test-support.ts";

it("holds its invariants in random interleavings", () => {
  checkInterleavings(serverWorld);
});

/** The state after these events, and the effects of the last one. */
function after(...events: ServerEvent[]) {
  let state = NO_POSTGRES;
  let effects: readonly unknown[] = [];
  for (const event of events) ({ state, effects } = serverTransition(state, event));
  return { state, effects };
}
const ask = (caller: number) => ({ type: "ask", caller }) as const;
const UP = [ask(1), { type: "prepared" }, { type: "started" }] as const;

it("is stopped only after the last lease was returned", () => {
  expect(after(...UP, { type: "idle" }).state.phase).toBe("up");
  expect(after(...UP, { type: "give-back" }).effects).toEqual([{ type: "await-idle" }]);
  expect(after(...UP, { type: "give-back" }, { type: "idle" }).effects).toEqual([{ type: "stop" }]);
  expect(after(...UP, { type: "give-back" }, ask(2), { type: "idle" }).state.phase).toBe("up");
});

it("starts again for a request that arrives while it is being stopped, and after it has died", () => {
  const stopping = [...UP, { type: "give-back" }, { type: "idle" }, ask(2)] as const;
  expect(after(...stopping).effects).toEqual([]);
  expect(after(...stopping, { type: "stopped" }).effects).toEqual([{ type: "prepare" }]);
  expect(after(...UP, { type: "ended" }, ask(2)).effects).toEqual([{ type: "prepare" }]);
});

it("reports the reason of a failure at once, and tries again only after a delay", () => {
  const failed = [ask(1), { type: "prepare-failed", error: "offline" }] as const;
  expect(after(...failed, ask(2)).effects).toEqual([
    { type: "refuse", callers: [2], error: "offline" },
  ]);
  expect(after(...failed, { type: "retry" }, ask(2)).effects).toEqual([{ type: "prepare" }]);
});
