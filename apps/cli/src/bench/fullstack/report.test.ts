import { expect, it } from "vitest";
import { agreementOf } from "./agreement.ts";
import { fullstackJson, fullstackPage, type ReportContext } from "./report.ts";
import type { FullstackResult } from "./result.ts";

const result = (id: string, more: Partial<FullstackResult> = {}): FullstackResult => ({
  id,
  instruction: "A forum <b>with</b> accounts",
  outcome: "done",
  verdict: "verified",
  summary: "Verified: all of it is shown.",
  checks: { held: 2, all: 2 },
  score: {
    passes: true,
    ms: 9,
    rules: [{ code: "layout", state: "held", root: ".", missing: [] }],
  },
  pictures: ["page.png"],
  steps: 3,
  tokens: 10,
  costUsd: 0.25,
  ms: 65_000,
  ...more,
});
const context: ReportContext = {
  taskCount: 3,
  model: "openai:x",
  logOf: (id) => `../logs/${id}`,
};

it("shows each task with its verdict, rules and pictures, and escapes all text", () => {
  const failing = result("000002", {
    verdict: "runs",
    score: {
      passes: false,
      ms: 9,
      rules: [
        { code: "layout", state: "held", root: ".", missing: [] },
        { code: "api", state: "failed", asked: ["/api/<x>"], broken: [{ path: "/api/<x>", status: 500 }] }, // prettier-ignore
      ],
    },
  });
  const unplayed = result("000003", { score: null, scoreError: "no sandbox", outcome: "error" });
  const html = fullstackPage([result("000001"), failing, unplayed], context);
  expect(html).toContain('<img src="../logs/000001/page.png"');
  expect(html).toContain("A forum &lt;b&gt;with&lt;/b&gt; accounts");
  expect(html).toContain("/api/&lt;x&gt; answers 500");
  expect(html).toContain("no sandbox");
  expect(html).not.toMatch(/<b>with|<x>/);
  expect(html).not.toContain("Front end, by its judge");
});

it("shows the judges' points and their agreement, if available", () => {
  const judgements = new Map([
    ["000001", { frontend: { points: 3, reached: 2, of: 4 }, database: { points: 1, reached: 1, of: 1 } }], // prettier-ignore
  ]);
  const results = [result("000001"), result("000002", { verdict: "failed" })];
  const judged = { ...context, judgements, agreement: agreementOf(results, judgements) };
  expect(fullstackPage(results, judged)).toContain("50.0 % of 4 checks judged");
  const report = JSON.parse(fullstackJson(results, judged)) as {
    agreement: object;
    tasks: { judgement?: object }[];
  };
  expect(report.agreement).toMatchObject({ tasks: 1 });
  expect(report.tasks.map(({ judgement }) => judgement)).toEqual([
    judgements.get("000001"),
    undefined,
  ]);
});
