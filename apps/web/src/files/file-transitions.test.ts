import { checkInterleavings } from "@treadle/protocol/testing";
import { expect, it } from "vitest";
import { fileWorld } from "./file-world.test-support.ts";
import { NEW_FILE_SESSION, transition, type FileEvent } from "./file-transitions.ts";

it("loses no typed text in random interleavings", () => {
  checkInterleavings(fileWorld);
});

/** Returns the state after some events, and the effects of the last event. */
function after(...events: FileEvent[]) {
  let step: ReturnType<typeof transition> = { state: NEW_FILE_SESSION, effects: [] };
  for (const event of events) step = transition(step.state, event);
  return { state: step.state, effects: step.effects.map(({ type }) => type) };
}

const UNSAVED: FileEvent = {
  type: "open",
  change: 0,
  call: undefined,
  unsaved: { text: "mine", source: { version: "v1", base: "old" } },
};

it("writes again what was typed during a write that was in progress on closing", () => {
  const written: FileEvent = { type: "written", version: "v2", base: "mine" };
  const closed = [UNSAVED, { type: "edited" }, { type: "close", text: "mine, more" }] as const;
  expect(after(...closed).effects).toEqual(["keep"]);
  expect(after(...closed, written).effects).toEqual(["keep", "write"]);
  expect(after(...closed, written, written)).toMatchObject({
    state: { kind: "closed" },
    effects: ["forget"],
  });
});

it("reads again if an answer may be older than a write", () => {
  const written: FileEvent = { type: "written", version: "v2", base: "mine" };
  const changed: FileEvent = { type: "log", change: 5, versionAfter: "v3", call: undefined };
  expect(after(UNSAVED, changed).effects).toEqual([]);
  expect(after(UNSAVED, changed, written).effects).toEqual(["read"]);
});

it("does not read again when the log reports its own write, before or after the answer", () => {
  const written: FileEvent = { type: "written", version: "v2", base: "mine" };
  const own: FileEvent = { type: "log", change: 5, versionAfter: "v2", call: undefined };
  expect(after(UNSAVED, own, written)).toMatchObject({ state: { kind: "saved" }, effects: [] });
  expect(after(UNSAVED, written, own)).toMatchObject({ state: { kind: "saved" }, effects: [] });
  const other: FileEvent = { ...own, change: 6, versionAfter: "v3" };
  expect(after(UNSAVED, own, written, other).effects).toEqual(["read"]);
});
