import { checkInterleavings } from "./interleavings.test-support.ts";
import { expect, it } from "vitest";
import {
  EMPTY_HOLDER,
  holderTransition,
  type HolderEvent,
  type HolderState,
} from "./holder-lifecycle.ts";
import { holderWorld } from "./holder-lifecycle.test-support.ts";

it("holds its invariants in random interleavings", () => {
  checkInterleavings(holderWorld);
});

/** The state after these events, and the effects of the last one. */
function after(...events: HolderEvent<string>[]) {
  let state: HolderState<string> = EMPTY_HOLDER;
  let effects: readonly unknown[] = [];
  for (const event of events) ({ state, effects } = holderTransition(state, event));
  return { state, effects };
}
const open = (caller: number) => ({ type: "open", caller }) as const;
const release = (caller: number) => ({ type: "release", caller }) as const;

it("ends a workspace that could not be ended before it opens another", () => {
  const events = [
    open(1),
    { type: "opened", workspace: "first" },
    release(2),
    { type: "end-failed", error: "busy" },
    open(3),
  ] as const;
  expect(after(...events).effects).toEqual([{ type: "end", workspace: "first" }]);
  expect(after(...events, { type: "ended" }).effects).toEqual([
    { type: "confirm", callers: [] },
    { type: "open" },
  ]);
  expect(after(...events, { type: "end-failed", error: "still busy" }).effects).toEqual([
    { type: "refuse", callers: [], error: "still busy" },
    { type: "refuse", callers: [3], error: "still busy" },
  ]);
});

it("opens again for a request after a release that waits for the opening", () => {
  const events = [
    open(1),
    release(2),
    open(3),
    { type: "opened", workspace: "first" },
    { type: "ended" },
  ] as const;
  expect(after(...events.slice(0, 4)).effects).toEqual([
    { type: "give", callers: [1], workspace: "first" },
    { type: "end", workspace: "first" },
  ]);
  expect(after(...events).effects).toEqual([{ type: "confirm", callers: [2] }, { type: "open" }]);
  expect(after(...events).state).toMatchObject({ phase: "opening", callers: [3] });
});
