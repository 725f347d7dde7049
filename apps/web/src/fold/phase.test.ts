import { sentence } from "@treadle/protocol/sentences";
import { describe, expect, it } from "vitest";
import { emptyView, fold } from "./fold.ts";
import { evidenceOf, logOf, sampleRun } from "./log.test-support.ts";
import { statusOf } from "@treadle/protocol/fold";
import { callWords, currentActivity, isLooking, waitingWords } from "./phase.ts";
import type { CallItem } from "./types.ts";

const after = (count: number) =>
  currentActivity(fold(emptyView(), logOf(...sampleRun().slice(0, count))));

describe("the current activity", () => {
  it("is undefined before a message and after a run", () => {
    expect(after(0)).toBeUndefined();
    expect(after(28)).toBeUndefined();
  });

  it("says that the project is being opened, between a message and its run", () => {
    expect(after(2)).toMatchObject({ phase: "run", words: "Opening the project" });
  });

  it.each([
    [4, "write", "Waiting for the model"],
    [7, "write", "Answering"],
    [9, "write", "Writing src/App.tsx"],
    [17, "run", "Running npm install"],
    [23, "look", "Looking at the page"],
    [25, "repair", "Repairing, attempt 1 of 4"],
  ])("after %i entries: %s, %s", (count, phase, words) => {
    const now = after(count);
    expect(now?.phase).toBe(phase);
    if (count !== 23) expect(now?.words).toBe(words);
  });

  it("does not say that the model is waited for while what it made is checked", () => {
    const run = sampleRun();
    const stepEnd = run.findIndex(({ type }) => type === "step-end") + 1;
    const served = evidenceOf("r1-v1", "untried", {
      serve: { state: "held", summary: "served" },
    });
    const seen = { type: "evidence" as const, evidence: served, run: "r1" };
    const ends = [...run.slice(0, stepEnd), seen];
    expect(currentActivity(fold(emptyView(), logOf(...ends)))).toMatchObject({
      phase: "look",
      words: "Checking",
    });
    const held = { ...seen, evidence: evidenceOf("r1-v1", "held") };
    expect(currentActivity(fold(emptyView(), logOf(...ends, held)))?.words).toBe("Checking");
    const asked = { type: "step-start" as const, run: "r1", step: 2 };
    expect(currentActivity(fold(emptyView(), logOf(...ends, asked)))?.words).toBe(
      "Waiting for the model",
    );
  });

  it("is work from the message on, before its run has begun, whatever was known before", () => {
    const run = sampleRun();
    const statusAfter = (count: number) =>
      statusOf(fold(emptyView(), logOf(...run.slice(0, count))));
    expect(statusAfter(0)).toBe("new");
    for (let count = 2; count < 27; count++) expect(statusAfter(count)).toBe("working");
    const again = { type: "message" as const, message: "m2", role: "user" as const, text: "More" };
    const ended = fold(emptyView(), logOf(...run));
    expect(statusOf(ended)).toBe("runs");
    expect(statusOf(fold(emptyView(), logOf(...run, { ...again, queued: false })))).toBe("working");
  });

  const callOf = (tool: string, input?: Record<string, unknown>): CallItem => ({
    kind: "call",
    call: "c",
    tool,
    input,
    fields: new Map(),
    status: "running",
    since: 0,
  });

  it("describes a question by its kind, not by the tool's name", () => {
    expect(waitingWords(callOf("ask_user"))).toBe("Asks you");
  });

  it("shows the address being read, once it is known", () => {
    expect(callWords(callOf("fetch_url"))).toBe("Reading a web page");
    expect(callWords(callOf("fetch_url", { url: "https://example.com/a" }))).toBe(
      "Reading https://example.com/a",
    );
  });

  it.each([
    [sentence("asks-to-wait", { model: "x:y", seconds: 20 }), "The provider asks us to wait"],
    [
      sentence("asking-again", { model: "x:y", seconds: 4, why: "Acme is busy. Try later." }),
      "Asking again: Acme is busy. Try later",
    ],
    [sentence("summing-up"), "Summing up the conversation, which has become long"],
    [
      { text: "As an earlier version logged it", coded: undefined },
      "As an earlier version logged it",
    ],
  ])("says why it waits for a provider, and until when: %j", ({ text, coded }, words) => {
    const view = fold(
      emptyView(),
      logOf(...sampleRun().slice(0, 3), {
        type: "waiting",
        run: "r1",
        reason: "retry",
        text,
        textCode: coded,
        until: 123,
      }),
    );
    expect(currentActivity(view)).toMatchObject({ words, until: 123 });
  });
});

it("knows while a run is looking at the project, and when it is done with that", () => {
  const run = sampleRun();
  const lookIndex = run.findIndex(({ type }) => type === "evidence");
  const at = (count: number) => isLooking(fold(emptyView(), logOf(...run.slice(0, count))));
  expect([at(lookIndex), at(lookIndex + 1), at(lookIndex + 2)]).toEqual([false, true, false]);
});
