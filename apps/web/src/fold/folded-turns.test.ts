import type { LogEvent } from "@treadle/protocol";
import { expect, it } from "vitest";
import { emptyView, fold } from "./fold.ts";
import { shownTurns } from "./folded-turns.ts";
import { logOf, sampleRun } from "./log.test-support.ts";
import { lastTurnStart } from "./select.ts";

const back = (head: string, from: string, checkpoint = "r1-c0"): LogEvent => ({
  type: "restored",
  checkpoint,
  revision: "r1-v0",
  label: "x",
  head,
  left: { checkpoint: "r3-c0", head: from },
});
const three = ["1", "2", "3"].flatMap((n) => sampleRun(`r${n}`, `m${n}`));
const viewOf = (...events: LogEvent[]) => fold(emptyView(), logOf(...events));
function shown(...events: LogEvent[]) {
  const view = viewOf(...events);
  return shownTurns(view, view.turns).map((one) =>
    one.kind === "turn"
      ? one.turn.message
      : { folded: one.turns.map(({ message }) => message), back: one.back?.head },
  );
}

it("folds undone turns in their place, with a way to restore them", () => {
  expect(shown(...three)).toEqual(["m1", "m2", "m3"]);
  expect(shown(...three, back("m1", "m3"))).toEqual(["m1", { folded: ["m2", "m3"], back: "m3" }]);
  expect(shown(...three, back("m1", "m3"), ...sampleRun("r4", "m4"))).toEqual([
    "m1",
    { folded: ["m2", "m3"], back: "m3" },
    "m4",
  ]);
  expect(shown(...three, back("m1", "m3"), back("m3", "m1"))).toEqual(["m1", "m2", "m3"]);
});

it("reports the restore at the message that is now the last one", () => {
  const view = viewOf(...three, back("m1", "m3"));
  expect(view.turns.map(({ after }) => after.length)).toEqual([1, 0, 0]);
});

it("the last turn's changes are those of the last turn still in the conversation", () => {
  expect(lastTurnStart(viewOf(...three))).not.toBe(
    lastTurnStart(viewOf(...three, back("m1", "m3"))),
  );
});
