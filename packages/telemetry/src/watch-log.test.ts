import type { LogEvent } from "@treadle/protocol";
import { expect, it } from "vitest";
import type { Operation } from "./operations.ts";
import { watchLog } from "./watch-log.ts";

const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 3, costUsd: 0.5 };
const start: LogEvent = {
  type: "run-start",
  run: "r1",
  message: "m1",
  model: "openai:gpt",
  dialect: "native",
};
const end: LogEvent = {
  type: "run-end",
  run: "r1",
  outcome: "done",
  verdict: "verified",
  summary: "a person's words",
  revision: "abc",
  steps: 1,
  usage,
  ms: 9,
};
const callEnd = (call: string): LogEvent => ({
  type: "call-end",
  call,
  status: "error",
  title: "Ran a secret command",
  result: "a person's words",
  ms: 3,
});

function operationsOf(...events: LogEvent[]): Operation[] {
  const operations: Operation[] = [];
  const watch = watchLog((operation) => operations.push(operation));
  for (const [index, event] of events.entries()) watch.onEvent("p1", event, 1000 + index);
  return operations;
}

it("makes a tree of a run, its steps and its tool calls, with their tokens and cost", () => {
  const [call, step, run] = operationsOf(
    start,
    { type: "step-start", run: "r1", step: 1 },
    { type: "call-open", run: "r1", call: "c1", tool: "run_command" },
    callEnd("c1"),
    { type: "step-end", run: "r1", step: 1, finish: "tool-calls", usage },
    end,
  );
  expect(call).toMatchObject({
    kind: "tool",
    name: "run_command",
    outcome: "error",
    hasFailed: true,
  });
  expect(step).toMatchObject({
    kind: "step",
    startMs: 1001,
    endMs: 1004,
    attributes: { "gen_ai.request.model": "openai:gpt", "gen_ai.usage.input_tokens": 10 },
  });
  expect(run).toMatchObject({
    kind: "run",
    outcome: "done",
    attributes: { "treadle.verdict": "verified", "treadle.usage.cost_usd": 0.5 },
  });
  for (const part of [call, step])
    expect(part?.place).toMatchObject({ trace: run!.place.trace, parent: run!.place.span });
  expect(run!.place.parent).toBeUndefined();
});

it("takes nothing along that a person or a model wrote", () => {
  const operations = operationsOf(
    start,
    { type: "call-open", run: "r1", call: "c1", tool: "run_command" },
    { type: "call-input", call: "c1", input: { command: "a person's words" } },
    callEnd("c1"),
    end,
  );
  expect(JSON.stringify(operations)).not.toMatch(/person's words|secret command/);
});

it("ends with a run what was open in it, and forgets it", () => {
  const operations = operationsOf(
    start,
    { type: "step-start", run: "r1", step: 1 },
    { type: "call-open", run: "r1", call: "c1", tool: "look" },
    end,
    end,
    callEnd("c1"),
  );
  expect(operations.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
    "tool interrupted",
    "step interrupted",
    "run done",
  ]);
});

it("ignores a run whose start it has not seen", () => {
  expect(operationsOf({ type: "step-start", run: "r1", step: 1 }, callEnd("c1"), end)).toEqual([]);
});
