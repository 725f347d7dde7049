import { describe, expect, it } from "vitest";
import { emptyView, fold } from "./fold.ts";
import { logOf, wholeRun } from "./log.test-support.ts";
import { doing, waitingWords } from "./phase.ts";
import type { CallItem } from "./types.ts";

const after = (count: number) => doing(fold(emptyView(), logOf(...wholeRun().slice(0, count))));

describe("what goes on, in words", () => {
  it("is nothing before a message and after a run", () => {
    expect(after(0)).toBeUndefined();
    expect(after(28)).toBeUndefined();
  });

  it("says that the project is opened between a message and its run", () => {
    expect(after(2)).toMatchObject({ phase: "run", words: "Opening the project" });
  });

  it.each([
    [4, "write", "Waiting for the model"],
    [7, "write", "Answering"],
    [9, "write", "Writing src/App.tsx"],
    [17, "run", "Running npm install"],
    [23, "look", "Looking at the page"],
    [25, "repair", "Repairing, try 1 of 4"],
  ])("after %i entries: %s, %s", (count, phase, words) => {
    const now = after(count);
    expect(now?.phase).toBe(phase);
    if (count !== 23) expect(now?.words).toBe(words);
  });

  it("says of a question what it is, not what the tool is called", () => {
    const call: CallItem = {
      kind: "call",
      call: "c",
      tool: "ask_user",
      fields: new Map(),
      status: "running",
      since: 0,
    };
    expect(waitingWords(call)).toBe("Asks you");
  });

  it("says until when a provider asks to wait", () => {
    const view = fold(
      emptyView(),
      logOf(...wholeRun().slice(0, 3), {
        type: "waiting",
        run: "r1",
        reason: "retry",
        text: "x:y asks us to wait 20 s",
        until: 123,
      }),
    );
    expect(doing(view)).toMatchObject({ words: "The provider asks us to wait", until: 123 });
  });
});
