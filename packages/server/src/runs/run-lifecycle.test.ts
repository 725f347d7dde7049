import { checkInterleavings } from "@treadle/protocol/testing";
import { expect, it } from "vitest";
import { initialLine, transition, type LineEvent, type Message } from "./run-lifecycle.ts";
import { lineWorld } from "./run-lifecycle.test-support.ts";

it("holds its invariants in random interleavings", () => {
  checkInterleavings(lineWorld);
});

it("holds its invariants with messages that a restart found in the record", () => {
  checkInterleavings(() => lineWorld(2), { runs: 1_000 });
});

const add = (message: string, caller: number): LineEvent<Message, string> => ({
  type: "add",
  item: { message, started: false },
  caller,
});

it("refuses only the messages that the failed write was to decide on", () => {
  let state = initialLine<Message>([]) as ReturnType<typeof transition<Message, string>>["state"];
  const send = (event: LineEvent<Message, string>) => {
    const step = transition<Message, string>(state, event);
    ({ state } = step);
    return step.effects;
  };
  expect(send(add("a", 1))).toMatchObject([{ type: "record", revision: 1 }]);
  expect(send(add("b", 2))).toEqual([]);
  const failed = send({ type: "record-failed", revision: 1, error: "full" });
  expect(failed).toMatchObject([
    { type: "reject", callers: [1] },
    { type: "record", items: [{ message: "b" }], revision: 3 },
  ]);
  expect(send({ type: "recorded", revision: 3 })).toMatchObject([
    { type: "log-message", item: { message: "b" }, caller: 2 },
  ]);
});

it("writes the record once more without the refused messages", () => {
  const added = transition<Message, string>(initialLine<Message>([]), add("a", 1)).state;
  const failure = { type: "record-failed", revision: 1, error: "full" } as const;
  const failed = transition<Message, string>(added, failure);
  expect(failed.effects).toContainEqual({ type: "record", items: [], revision: 2 });
  const again = transition<Message, string>(failed.state, { ...failure, revision: 2 });
  expect(again.effects).toEqual([{ type: "report", error: "full" }]);
});
