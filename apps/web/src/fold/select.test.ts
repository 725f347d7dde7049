import { toProjectPath } from "@treadle/protocol/project-path";
import type { LogEvent } from "@treadle/protocol";
import { evidenceOf as shownEvidence, statusOf } from "@treadle/protocol/fold";
import { describe, expect, it } from "vitest";
import { emptyView, fold } from "./fold.ts";
import { evidenceOf, logOf, sampleRun } from "./log.test-support.ts";
import { isTodoFinished, whyRevoked, totalUsage, turnCheckpoints, writingCall } from "./select.ts";

const after = (count: number) => fold(emptyView(), logOf(...sampleRun().slice(0, count)));
const finished = () => fold(emptyView(), logOf(...sampleRun()));

describe("the verdict chip", () => {
  it("shows new, working, then the verdict", () => {
    expect(statusOf(emptyView())).toBe("new");
    expect(statusOf(after(8))).toBe("working");
    expect(statusOf(finished())).toBe("runs");
  });

  it("shows waiting during a question, and working again after the answer", () => {
    const question: LogEvent = {
      type: "question",
      run: "r1",
      question: { kind: "words", id: "q", call: "c1", text: "Which?", choices: [] },
    };
    const asked = fold(emptyView(), logOf(...sampleRun().slice(0, 8), question));
    expect(statusOf(asked)).toBe("waiting");
    const answered: LogEvent = {
      type: "answer",
      run: "r1",
      question: "q",
      answer: { kind: "words", text: "This" },
    };
    const on = fold(emptyView(), logOf(...sampleRun().slice(0, 8), question, answered));
    expect(statusOf(on)).toBe("working");
  });

  it("is no longer verified after a user changed a file", () => {
    const change: LogEvent = {
      type: "files",
      changes: [{ path: toProjectPath("a"), kind: "written", by: "person", size: 1 }],
    };
    expect(statusOf(fold(emptyView(), logOf(...sampleRun(), change)))).toBe("unverified");
  });

  it("follows a later look at the same revision", () => {
    const evidence = { type: "evidence", evidence: evidenceOf("r1-v2", "failed") } as const;
    expect(statusOf(fold(emptyView(), logOf(...sampleRun(), evidence)))).toBe("failed");
  });

  it("describes the restored checkpoint, not the one before", () => {
    const back = { type: "restored", checkpoint: "r1-c0", revision: "r1-v0", label: "x" } as const;
    const view = fold(emptyView(), logOf(...sampleRun(), back));
    expect(statusOf(view)).toBe("unverified");
    const again = { ...back, checkpoint: "r1-c1", revision: "r1-v2" };
    expect(statusOf(fold(emptyView(), logOf(...sampleRun(), back, again)))).toBe("runs");
  });
});

describe("the shown evidence", () => {
  it("is that of the current revision", () => {
    expect(shownEvidence(finished()).parts.page.state).toBe("held");
  });

  it("is empty for a newer revision, and the same object each time", () => {
    const change: LogEvent = {
      type: "files",
      revision: "v9",
      changes: [{ path: toProjectPath("a"), kind: "written", by: "person", size: 1 }],
    };
    const view = fold(emptyView(), logOf(...sampleRun(), change));
    const shown = shownEvidence(view);
    expect(Object.values(shown.parts).map((part) => part.state)).toEqual(
      Array.from({ length: 5 }, () => "untried"),
    );
    expect(shownEvidence(view)).toBe(shown);
  });
});

it("knows the file being written", () => {
  expect(writingCall(after(9))?.path).toBe("src/App.tsx");
  expect(writingCall(after(13))).toBeUndefined();
});

it("finds the checkpoints before and after a turn", () => {
  const view = finished();
  const turn = view.turns[0];
  expect(turn && turnCheckpoints(view, turn)).toEqual({ before: "r1-c0", after: "r1-c1" });
});

it("takes what a run keeps before its first call for what it found", () => {
  const [before, ...rest] = sampleRun();
  const found: LogEvent = {
    type: "checkpoint",
    checkpoint: "found",
    revision: "found-v",
    label: "Before this turn",
    run: "r1",
  };
  const events = before ? [before, ...rest.slice(0, 2), found, ...rest.slice(2)] : [];
  const view = fold(emptyView(), logOf(...events));
  const turn = view.turns[0];
  expect(turn && turnCheckpoints(view, turn)).toEqual({ before: "found", after: "r1-c1" });
});

it("adds the cost of finished and active runs", () => {
  const two = fold(emptyView(), logOf(...sampleRun(), ...sampleRun("r2", "m2").slice(0, 21)));
  expect(totalUsage(two)).toEqual({ tokens: 330, costUsd: 0.03 });
});

it("says why a turn's verdict no longer holds, also after later file changes, but not during a look", () => {
  const broken = evidenceOf("r1-v2", "held", { console: { state: "failed", summary: "it threw" } });
  const later: LogEvent = { type: "evidence", evidence: broken };
  const back = (...more: LogEvent[]) => {
    const view = fold(emptyView(), logOf(...sampleRun(), ...more));
    const end = view.turns[0]?.end;
    return end && whyRevoked(view, end);
  };
  expect(back()).toBeUndefined();
  expect(back(later)).toBe("it threw");
  expect(back(later, { type: "look-start" })).toBeUndefined();
  const change: LogEvent = {
    type: "files",
    changes: [{ path: toProjectPath("a"), kind: "written", by: "person", size: 1 }],
  };
  expect(back(later, change)).toBe("it threw");
  expect(back(change)).toBeUndefined();
});

it("hides the to-do list once all items are done and the conversation has moved on", () => {
  const todo = (...statuses: ("done" | "doing")[]): LogEvent => ({
    type: "todo",
    by: "model",
    items: statuses.map((status, index) => ({ text: `${index}`, status })),
  });
  const isOver = (...events: LogEvent[]) => isTodoFinished(fold(emptyView(), logOf(...events)));
  const next = sampleRun("r2", "m2");
  expect(isOver(...sampleRun(), todo("done", "done"))).toBe(false);
  expect(isOver(...sampleRun(), todo("done", "done"), ...next)).toBe(true);
  expect(isOver(...sampleRun(), todo("done", "doing"), ...next)).toBe(false);
  expect(isOver(...sampleRun(), todo("done"), ...next, todo("done"))).toBe(false);
});
