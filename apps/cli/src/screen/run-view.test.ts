import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { untriedEvidence } from "@treadle/protocol/evidence";
import type { LogEvent } from "@treadle/protocol";
import { afterEach, expect, it, vi } from "vitest";
import { isLive } from "./is-live.ts";
import { createProgress } from "./progress.ts";
import { runView, statusLines } from "./run-view.ts";

const usage = { inputTokens: 1_200, cachedInputTokens: 0, outputTokens: 34, costUsd: 0.05 };

function after(...events: LogEvent[]) {
  const progress = createProgress();
  for (const [n, event] of events.entries()) progress.add({ seq: n + 1, at: n, event });
  return progress;
}
afterEach(() => vi.unstubAllEnvs());

const lines = (...events: LogEvent[]) => statusLines(after(...events), 65_000, (_, text) => text);

it("shows the step, its action and duration; then the evidence and the cost", () => {
  const evidence = untriedEvidence("r1");
  evidence.parts.install = { state: "held", summary: "" };
  evidence.parts.build = { state: "failed", summary: "" };
  evidence.parts.serve = { state: "going", summary: "" };
  evidence.parts.page = { state: "inapplicable", summary: "" };
  expect(
    lines(
      { type: "step-start", run: "r", step: 1 },
      { type: "step-end", run: "r", step: 1, finish: "stop", usage },
      { type: "step-start", run: "r", step: 2 },
      { type: "evidence", evidence },
    ),
  ).toEqual([
    "step 2 · looking: serve · 1 min 5 s",
    "✓ install  × build  … serve  – page  · console   1,234 tokens · $0.05",
  ]);
});

it("begins with one line, before anything was used or observed", () => {
  expect(lines()).toEqual(["beginning · 1 min 5 s"]);
});

it("shows a call's result, waits and questions, without terminal control sequences", () => {
  const title = "Wrote \u001b[2Jx.ts";
  const done = lines({ type: "call-end", call: "c", status: "ok", title, result: "", ms: 1 });
  expect(done[0]).not.toContain("\u001b");
  expect(stripVTControlCharacters(done[0]!)).toMatch(/^Wrote .*x\.ts · 1 min 5 s$/);
  expect(
    lines({ type: "waiting", run: "r", reason: "registry", text: "Waits for npm" })[0],
  ).toMatch(/^Waits for npm/);
});

it("is only drawn on a terminal that can move its cursor", () => {
  expect(isLive({ isTTY: true }, { TERM: "xterm" })).toBe(true);
  expect(isLive({ isTTY: true }, { TERM: "dumb" })).toBe(false);
  expect(isLive({ isTTY: true }, { TERM: "xterm", CI: "true" })).toBe(false);
  expect(isLive({}, { TERM: "xterm" })).toBe(false);
});

/** The output of a run, with an additional message. */
function shown(isTTY: boolean, env: Record<string, string>): string {
  for (const [name, value] of Object.entries({ CI: "", TERM: "xterm", ...env }))
    vi.stubEnv(name, value);
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 24 });
  const view = runView(stream as unknown as NodeJS.WriteStream, { json: false });
  const events: LogEvent[] = [
    { type: "text", run: "r", id: "t", text: "Words.\n" },
    {
      type: "run-end",
      run: "r",
      outcome: "done",
      verdict: "verified",
      summary: "Served.",
      revision: "r1",
      steps: 1,
      usage,
      ms: 1,
    },
  ];
  view.entry({ seq: 1, at: 0, event: events[0]! });
  view.line?.("A sentence.");
  view.entry({ seq: 2, at: 0, event: events[1]! });
  view.end();
  return String(stream.read());
}

it("ends with the run's result, with nothing drawn below it and a visible cursor", () => {
  const text = shown(true, {});
  expect(text).toContain("Words.\n");
  expect(text).toContain("A sentence.\n");
  expect(text.indexOf("\u001b[?25h\nVerified")).toBeGreaterThan(text.lastIndexOf("\u001b[?25l"));
});

it("prints only lines to a pipe", () => {
  expect(shown(false, {})).not.toContain("\u001b");
  expect(shown(true, { TERM: "dumb" })).not.toContain("\u001b");
  expect(shown(false, {})).toMatch(/^Words\.\n\nVerified/);
});
