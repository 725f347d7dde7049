import type { AttemptResult, ComparedAttempt } from "@treadle/protocol";
import { expect, it } from "vitest";
import { attemptTable } from "./attempt-table.ts";
import { bestOf, endedOf } from "./winner.ts";

const attempt = (
  number: number,
  { costUsd, ...more }: Partial<AttemptResult> & { costUsd?: number } = {},
): ComparedAttempt => ({
  number,
  model: `fake:${number}`,
  state: "over",
  project: `p${number}`,
  result: {
    outcome: "done",
    verdict: "verified",
    summary: "",
    ms: 61_000,
    steps: 2,
    files: number,
    lines: { added: 3, removed: 1 },
    ...more,
    usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd },
  },
});
const best = (...attempts: ComparedAttempt[]) => {
  const found = bestOf(endedOf(attempts));
  return [found.best.map(({ number }) => number), found.by];
};

it("the better verdict wins, whatever the cost", () => {
  const cheap = attempt(1, { verdict: "failed", costUsd: 0.01 });
  expect(best(cheap, attempt(2, { costUsd: 9 }))).toEqual([[2], "verdict"]);
  expect(best(cheap, attempt(2, { verdict: "unverified", costUsd: 9 }))).toEqual([[2], "verdict"]);
  const { result, ...rest } = attempt(3);
  const { verdict: _, ...nothing } = result!;
  expect(best(cheap, { ...rest, result: nothing })).toEqual([[1], "verdict"]);
});

it("then fewer failed checks, then more passed ones", () => {
  const missing = attempt(1, { checks: { held: 8, all: 9 }, costUsd: 0 });
  const few = attempt(2, { checks: { held: 1, all: 1 }, costUsd: 1 });
  const many = attempt(3, { checks: { held: 2, all: 2 }, costUsd: 2 });
  expect(best(missing, few)).toEqual([[2], "checks"]);
  expect(best(missing, few, many, attempt(4))).toEqual([[3], "checks"]);
});

it("then the lower cost, if known for all remaining ones", () => {
  expect(best(attempt(1, { costUsd: 2 }), attempt(2, { costUsd: 1 }))).toEqual([[2], "cost"]);
  expect(best(attempt(1, { costUsd: 2 }), attempt(2))).toEqual([[1, 2], "cost"]);
  expect(best(attempt(1), attempt(2), attempt(3, { verdict: "failed" }))[0]).toEqual([1, 2]);
});

it("an attempt that never started cannot win", () => {
  const stopped: ComparedAttempt = { number: 1, model: "fake:1", state: "stopped" };
  expect(best(stopped, attempt(2, { verdict: "failed" }))).toEqual([[2], "only"]);
  expect(best(stopped)[0]).toEqual([]);
});

it("the table shows each attempt's verdict, checks, cost, time and size, and which was chosen", () => {
  const failed: ComparedAttempt = {
    number: 3,
    model: "a:b",
    state: "failed",
    problem: "No key\u001b[2J",
  };
  const table = attemptTable(
    [
      attempt(1, { checks: { held: 1, all: 2 }, costUsd: 0.5 }),
      attempt(2, { verdict: "failed", outcome: "budget" }),
      failed,
    ],
    1,
  );
  expect(table).toBe(
    [
      "     model   verdict                         checks  cost   time     size",
      "→ 1  fake:1  Verified                        1/2     $0.50  1 min 1 s  1 file, +3 −1",
      "  2  fake:2  Failed (stopped by the budget)  –       ?      1 min 1 s  2 files, +3 −1",
      "  3  a:b     No key",
      "",
    ]
      .join("\n")
      .replace("time     size", "time       size"),
  );
});
