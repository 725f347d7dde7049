import type { LogEntry, LogEvent } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { emptyView, fold } from "../fold/fold.ts";
import { awayNews } from "./away-news.ts";

const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
const begun: LogEvent[] = [
  { type: "message", message: "m1", text: "Build", parent: "" },
  { type: "run-start", run: "r1", message: "m1", model: "a:b", dialect: "native" },
] as LogEvent[];
const end = (more: object): LogEvent =>
  ({
    type: "run-end",
    run: "r1",
    summary: "",
    revision: "1",
    steps: 1,
    usage,
    ms: 1,
    ...more,
  }) as LogEvent;

/** The news of the events after the initial ones. */
function newsOf(...events: LogEvent[]) {
  const entries = (all: LogEvent[], from: number): LogEntry[] =>
    all.map((event, index) => ({ seq: from + index, at: 1, event }) as LogEntry);
  const before = fold(emptyView(), entries(begun, 1));
  return awayNews(before, fold(before, entries(events, begun.length + 1)));
}

describe("news for a user who looks elsewhere", () => {
  it("is how a turn ended", () => {
    expect(newsOf(end({ outcome: "done", verdict: "verified" }))).toBe("verified");
    expect(newsOf(end({ outcome: "done", verdict: "failed" }))).toBe("failed");
    expect(newsOf(end({ outcome: "error" }))).toBe("failed");
    expect(newsOf(end({ outcome: "done" }))).toBe("ended");
  });

  it("is a question, once", () => {
    const question = { kind: "words", id: "q1", call: "c1", text: "Which?", choices: [] } as const;
    const asked = { type: "question", run: "r1", question } as unknown as LogEvent;
    expect(newsOf(asked)).toBe("waiting");
    const seen = fold(emptyView(), [
      ...begun.map((event, index) => ({ seq: index + 1, at: 1, event })),
      { seq: 3, at: 1, event: asked },
    ] as LogEntry[]);
    expect(awayNews(seen, { ...seen, seq: 4 })).toBeUndefined();
  });

  it("is nothing during a turn, or if the user stopped it", () => {
    expect(newsOf()).toBeUndefined();
    expect(newsOf(end({ outcome: "stopped" }))).toBeUndefined();
  });
});
