import { PassThrough } from "node:stream";
import type { ComparedAttempt, Comparison, LogEntry, LogEvent } from "@treadle/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createProgress } from "../screen/progress.ts";
import { attemptsView, linesOf } from "./attempts-view.ts";

const entry = (event: LogEvent): LogEntry => ({ seq: 1, at: 0, event });
const attempts: ComparedAttempt[] = [
  { number: 1, model: "fake:one", state: "going", project: "p1" },
  { number: 2, model: "fake:longer", state: "waiting" },
  { number: 3, model: "fake:none", state: "failed", problem: "No key\u001b[2J." },
];
const comparison = (all: ComparedAttempt[]): Comparison => ({
  id: "c",
  text: "x",
  createdAt: 0,
  together: 1,
  attempts: all,
});

beforeEach(() => {
  vi.stubEnv("CI", "");
  vi.stubEnv("TERM", "xterm");
});
afterEach(() => vi.unstubAllEnvs());

function output(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 24 });
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    written: () => String(stream.read() ?? ""),
  };
}

it("shows each attempt with its model, step, action, time and cost, or why it did not start", () => {
  const progress = createProgress();
  const usage = { inputTokens: 9, cachedInputTokens: 0, outputTokens: 1, costUsd: 0.25 };
  progress.add(entry({ type: "step-start", run: "r", step: 1 }));
  progress.add(entry({ type: "step-end", run: "r", step: 1, finish: "stop", usage }));
  progress.add(entry({ type: "repair", run: "r", attempt: 1, limit: 4, reason: "x" }));
  const lines = linesOf(attempts, new Map([[1, { progress, since: 1_000 }]]), 6_000);
  expect(lines[0]).toBe("1  fake:one     step 1 · repairing (1 of 4) · 5 s · $0.25");
  expect(lines[1]).toBe("2  fake:longer  waits for its turn");
  expect(lines[2]).toMatch(/^3 {2}fake:none +No key/);
  expect(lines[2]).not.toContain("\u001b");
});

it("prints a line with the attempt's number for each event in a pipe, and each state once", () => {
  const { stream, written } = output(false);
  const view = attemptsView(stream, { json: false, followed: new Map() });
  view.attempts(comparison(attempts));
  view.attempts(comparison(attempts));
  view.entry(1, entry({ type: "text", run: "r", id: "t", text: "words" }));
  const done = { type: "call-end", call: "c", status: "ok", title: "Wrote a", result: "" } as const;
  view.entry(1, entry({ ...done, ms: 1 }));
  view.end();
  expect(written()).toMatch(
    /^\[1\] fake:one begins\n\[3\] fake:none could not start: No key[^\n]*\n\[1\] · Wrote a\n$/,
  );
});

it("prints each state and entry as a JSON line with its attempt for programs", () => {
  const { stream, written } = output(true);
  const view = attemptsView(stream, { json: true, followed: new Map() });
  view.attempts(comparison(attempts.slice(0, 1)));
  view.entry(1, entry({ type: "step-start", run: "r", step: 1 }));
  expect(
    written()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { type: "attempt", ...attempts[0] },
    { attempt: 1, seq: 1, at: 0, event: { type: "step-start", run: "r", step: 1 } },
  ]);
});

it("draws a line per attempt in a terminal, and leaves nothing of it", () => {
  const { stream, written } = output(true);
  const view = attemptsView(stream, { json: false, followed: new Map() });
  view.attempts(comparison(attempts));
  expect(written()).toContain("2  fake:longer  waits for its turn\n");
  view.line?.("A sentence.");
  expect(written()).toContain("A sentence.\n1  fake:one");
  view.end();
  expect(written()).toContain("\u001b[3A\r\u001b[J");
});
