import { expect, it } from "vitest";
import type { LogEvent } from "../log/types.ts";
import { stateAfter, touched, verifiedTurn, wentBack } from "./a-log.test-support.ts";
import { conversationOf } from "./conversation.ts";

const three = ["r1", "r2", "r3"].flatMap((run, index) => verifiedTurn(run, `v${index + 1}`));
const call: LogEvent = { type: "call-open", run: "r2", call: "c", tool: "write_file" };
const todo = (text: string): LogEvent => ({
  type: "todo",
  by: "model",
  items: [{ text, status: "todo" }],
});
/** An event that restores the files and the conversation; `from` was its last message before. */
const back = (revision: string, head: string, from: string): LogEvent => ({
  ...(wentBack(revision) as Extract<LogEvent, { type: "restored" }>),
  head,
  left: { checkpoint: `c-${from}`, head: from },
});
const rolesAfter = (...events: LogEvent[]) =>
  [...conversationOf(stateAfter(...events))].toReversed();

it("every message follows the previous one", () => {
  expect(rolesAfter(...three)).toEqual(["m-r1", "m-r2", "m-r3"]);
});

it("restoring the conversation hides later messages, and restoring back shows them again", () => {
  const went = [...three, back("v1", "m-r1", "m-r3")];
  expect(rolesAfter(...went)).toEqual(["m-r1"]);
  expect(stateAfter(...went).left).toEqual(new Map([["m-r3", "c-m-r3"]]));
  expect(rolesAfter(...went, back("v3", "m-r3", "m-r1"))).toEqual(["m-r1", "m-r2", "m-r3"]);
});

it("a message after that follows the remaining ones, and the hidden ones can still be restored", () => {
  const went = [...three, back("v1", "m-r1", "m-r3"), ...verifiedTurn("r4", "v4")];
  expect(rolesAfter(...went)).toEqual(["m-r1", "m-r4"]);
  expect(rolesAfter(...went, back("v2", "m-r2", "m-r4"))).toEqual(["m-r1", "m-r2"]);
});

it("restoring only the files, or an unknown message, leaves the conversation unchanged", () => {
  expect(rolesAfter(...three, wentBack("v1"))).toHaveLength(3);
  expect(rolesAfter(...three, back("v1", "from elsewhere", "m-r3"))).toHaveLength(3);
  expect(rolesAfter(...three, back("v1", "", "m-r3"))).toEqual([]);
});

it("a checkpoint belongs to a conversation: before its run's first call, to the previous one", () => {
  const begun = three.slice(6, 8);
  const checkpointed = (checkpoint: string): LogEvent => ({
    type: "checkpoint",
    checkpoint,
    revision: checkpoint,
    label: "",
    run: "r2",
  });
  const state = stateAfter(
    ...verifiedTurn("r1", "v1"),
    ...begun,
    checkpointed("found"),
    call,
    touched("model"),
    checkpointed("made"),
  );
  expect(state.checkpoints.map(({ checkpoint, head }) => [checkpoint, head])).toEqual([
    ["c-v1", ""],
    ["found", "m-r1"],
    ["made", "m-r2"],
  ]);
  expect(state.checkpoints.at(-1)?.by).toEqual(["model"]);
  expect(state.said.get("m-r2")?.last?.checkpoint).toBe("made");
});

it("the to-do list is restored with the conversation", () => {
  const [first, second] = [verifiedTurn("r1", "v1"), verifiedTurn("r2", "v2")];
  const log = [...first, todo("one"), ...second, todo("two")];
  const after = (...more: LogEvent[]) => stateAfter(...log, ...more).todo?.[0]?.text;
  expect(after(back("v1", "m-r1", "m-r2"))).toBe("one");
  expect(after(back("v1", "m-r1", "m-r2"), back("v2", "m-r2", "m-r1"))).toBe("two");
  expect(after(back("v1", "", "m-r2"))).toBeUndefined();
});

it("names are added and removed; thinned-out checkpoints stay in the list as such", () => {
  const named = { type: "checkpoint-named", checkpoint: "c-v2", name: "Works" } as const;
  const thinned = { type: "checkpoints-thinned", checkpoints: ["c-v1"] } satisfies LogEvent;
  const { checkpoints } = stateAfter(...three, named, thinned);
  expect(checkpoints.map(({ name, thinned: gone }) => name ?? gone)).toEqual([
    true,
    "Works",
    undefined,
  ]);
  const unnamed = stateAfter(...three, named, { type: "checkpoint-named", checkpoint: "c-v2" });
  expect(unnamed.checkpoints[1]).not.toHaveProperty("name");
});
